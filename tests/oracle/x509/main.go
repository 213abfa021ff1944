// The oracle for `emulate::go::x509`: what the real crypto/tls says about certificate chains.
//
//	go run . generate > ../../data/x509/chains.json     mints the chains (keys are thrown away)
//	go run . answer   < ../../data/x509/chains.json     prints what this release of Go says about each
//
// `run.sh` beside this file does both for every release that is at hand.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// now is the client's clock in every case, so that the answers do not change with the day.
var now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// Case is one chain as a server sends it, and what the client trusts.
type Case struct {
	ID        string    `json:"id"`
	Condition string    `json:"condition"`
	Host      string    `json:"host"`
	Now       time.Time `json:"now"`
	Sent      [][]byte  `json:"sent"`
	Roots     [][]byte  `json:"roots"`
}

// Answers is what one release of Go says: null means that the handshake goes on.
type Answers struct {
	Go      string             `json:"go"`
	Answers map[string]*string `json:"answers"`
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: oracle generate|answer"))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	switch os.Args[1] {
	case "generate":
		fail(out.Encode(generate()))
	case "answer":
		var cases []Case
		fail(json.NewDecoder(os.Stdin).Decode(&cases))
		fail(out.Encode(answer(cases)))
	default:
		fail(fmt.Errorf("unknown mode %q", os.Args[1]))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}
