package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"net"
	"time"
)

// Cert is a minted certificate with its key.
type Cert struct {
	der []byte
	key crypto.Signer
}

// Option changes a template before it is signed.
type Option func(*x509.Certificate)

var anyKey = ec(elliptic.P256())

func ec(curve elliptic.Curve) crypto.Signer {
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	fail(err)
	return key
}

func rsaKey(bits int) crypto.Signer {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	fail(err)
	return key
}

func ed() crypto.Signer {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	fail(err)
	return key
}

var serial int64 = 1000

func template(name string) *x509.Certificate {
	serial++
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-24 * time.Hour),
		NotAfter:     now.Add(90 * 24 * time.Hour),
	}
}

// ca mints an authority: its own root where parent is nil.
func ca(name string, parent *Cert, key crypto.Signer, options ...Option) *Cert {
	t := template(name)
	t.IsCA, t.BasicConstraintsValid = true, true
	t.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	return sign(t, parent, key, options)
}

// leaf mints a server's certificate.
func leaf(name string, parent *Cert, key crypto.Signer, options ...Option) *Cert {
	t := template(name)
	t.KeyUsage = x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	return sign(t, parent, key, options)
}

func sign(t *x509.Certificate, parent *Cert, key crypto.Signer, options []Option) *Cert {
	for _, option := range options {
		option(t)
	}
	issuer, issuerKey := t, key
	if parent != nil {
		parsed, err := x509.ParseCertificate(parent.der)
		fail(err)
		issuer, issuerKey = parsed, parent.key
	}
	der, err := x509.CreateCertificate(rand.Reader, t, issuer, key.Public(), issuerKey)
	fail(err)
	return &Cert{der, key}
}

func dns(names ...string) Option { return func(t *x509.Certificate) { t.DNSNames = names } }

func ips(addresses ...string) Option {
	return func(t *x509.Certificate) {
		for _, a := range addresses {
			ip := net.ParseIP(a)
			if four := ip.To4(); four != nil && a[0] != ':' {
				ip = four
			}
			t.IPAddresses = append(t.IPAddresses, ip)
		}
	}
}

func dates(from, to time.Time) Option {
	return func(t *x509.Certificate) { t.NotBefore, t.NotAfter = from, to }
}

func usage(usages ...x509.ExtKeyUsage) Option {
	return func(t *x509.Certificate) { t.ExtKeyUsage = usages }
}

func keyID(id string) Option {
	return func(t *x509.Certificate) { t.SubjectKeyId = []byte(id) }
}

func network(cidr string) *net.IPNet {
	_, n, err := net.ParseCIDR(cidr)
	fail(err)
	return n
}

func extension(oid asn1.ObjectIdentifier, critical bool, value []byte) Option {
	return func(t *x509.Certificate) {
		t.ExtraExtensions = append(t.ExtraExtensions, pkix.Extension{Id: oid, Critical: critical, Value: value})
	}
}

// The parts of a certificate, for changes that crypto/x509 does not make.

type whole struct {
	TBS       asn1.RawValue
	Algorithm pkix.AlgorithmIdentifier
	Signature asn1.BitString
}

type signedPart struct {
	Version    int `asn1:"explicit,tag:0,default:0"`
	Serial     *big.Int
	Algorithm  pkix.AlgorithmIdentifier
	Issuer     asn1.RawValue
	Validity   asn1.RawValue
	Subject    asn1.RawValue
	Key        asn1.RawValue
	Extensions []pkix.Extension `asn1:"optional,explicit,tag:3"`
}

// rework changes the signed part and signs it again with the issuer's key.
func rework(c *Cert, issuer crypto.Signer, hash crypto.Hash, change func(*signedPart)) *Cert {
	var w whole
	_, err := asn1.Unmarshal(c.der, &w)
	fail(err)
	var part signedPart
	_, err = asn1.Unmarshal(w.TBS.FullBytes, &part)
	fail(err)
	change(&part)
	tbs, err := asn1.Marshal(part)
	fail(err)
	digest := hash.New()
	digest.Write(tbs)
	signature, err := issuer.Sign(rand.Reader, digest.Sum(nil), hash)
	fail(err)
	der, err := asn1.Marshal(whole{asn1.RawValue{FullBytes: tbs}, part.Algorithm, asn1.BitString{Bytes: signature, BitLength: len(signature) * 8}})
	fail(err)
	return &Cert{der, c.key}
}

func algorithm(oid asn1.ObjectIdentifier, withNull bool) func(*signedPart) {
	return func(p *signedPart) {
		p.Algorithm = pkix.AlgorithmIdentifier{Algorithm: oid}
		if withNull {
			p.Algorithm.Parameters = asn1.NullRawValue
		}
	}
}
