package main

import (
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"time"
)

// garbageSigner lets a server present a certificate without its key: the client judges the certificate before it
// looks at the signature over the handshake.
type garbageSigner struct{ public crypto.PublicKey }

func (g garbageSigner) Public() crypto.PublicKey { return g.public }

func (g garbageSigner) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return []byte("no signature"), nil
}

func answer(cases []Case) Answers {
	all := Answers{Go: runtime.Version(), Answers: map[string]*string{}}
	for _, c := range cases {
		text, ok := handshake(c)
		if ok {
			all.Answers[c.ID] = nil
		} else {
			all.Answers[c.ID] = &text
		}
	}
	return all
}

// handshake returns the client's error; ok means that the certificate was accepted.
func handshake(c Case) (text string, ok bool) {
	pool := x509.NewCertPool()
	for _, der := range c.Roots {
		// As AppendCertsFromPEM does: what cannot be parsed is passed over.
		if root, err := x509.ParseCertificate(der); err == nil {
			pool.AddCert(root)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fail(err)
	defer listener.Close()
	ours, err := net.Dial("tcp", listener.Addr().String())
	fail(err)
	defer ours.Close()
	theirs, err := listener.Accept()
	fail(err)
	defer theirs.Close()
	deadline := time.Now().Add(20 * time.Second)
	ours.SetDeadline(deadline)
	theirs.SetDeadline(deadline)
	server := tls.Server(theirs, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		leaf, err := x509.ParseCertificate(c.Sent[0])
		if err != nil {
			// The client will not parse it either; any key will do to get that far.
			return &tls.Certificate{Certificate: c.Sent, PrivateKey: garbageSigner{anyKey.Public()}}, nil
		}
		return &tls.Certificate{Certificate: c.Sent, PrivateKey: garbageSigner{leaf.PublicKey}}, nil
	}})
	go server.Handshake()
	client := tls.Client(ours, &tls.Config{RootCAs: pool, ServerName: c.Host, Time: func() time.Time { return c.Now }})
	err = client.Handshake()
	switch {
	case err == nil:
		panic(errors.New(c.ID + ": a garbage signature was accepted"))
	case strings.HasPrefix(err.Error(), "tls: invalid signature by the server certificate: "):
		return "", true
	}
	return err.Error(), false
}
