package main

import (
	"crypto"
	"crypto/elliptic"
	_ "crypto/md5"
	_ "crypto/sha1"
	_ "crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"net/url"
	"time"
)

const host = "registry.example.com"

var (
	day      = 24 * time.Hour
	past     = dates(now.Add(-90*day), now.Add(-day))
	future   = dates(now.Add(2*day), now.Add(90*day))
	sha1RSA  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 5}
	md5RSA   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 4}
	sha1EC   = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 1}
	unknown  = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 32473, 1}
	emptySeq = []byte{0x30, 0x00}
)

type list struct{ cases []Case }

func (l *list) add(id, condition, host string, sent, roots []*Cert) {
	c := Case{ID: id, Condition: condition, Host: host, Now: now, Sent: [][]byte{}, Roots: [][]byte{}}
	for _, s := range sent {
		c.Sent = append(c.Sent, s.der)
	}
	for _, r := range roots {
		c.Roots = append(c.Roots, r.der)
	}
	l.cases = append(l.cases, c)
}

func these(certs ...*Cert) []*Cert { return certs }

func p256() crypto.Signer { return ec(elliptic.P256()) }

func generate() []Case {
	l := &list{}
	authorities(l)
	validity(l)
	names(l)
	usages(l)
	constraints(l)
	algorithms(l)
	parsing(l)
	return l.cases
}

func authorities(l *list) {
	root := ca("Example Root", nil, p256(), keyID("root"))
	good := leaf("registry", root, p256(), dns(host))
	l.add("ok", "the root is trusted", host, these(good), these(root))
	l.add("ok-root-sent-too", "the server sends its root as well", host, these(good, root), these(root))
	l.add("ok-root-twice-in-pool", "the same root twice in the pool", host, these(good), these(root, root))
	l.add("empty-pool", "nothing is trusted", host, these(good), these())
	other := ca("Other Root", nil, p256())
	l.add("unknown-authority", "another root is trusted", host, these(good), these(other))
	l.add("unknown-authority-root-sent", "the unknown root is sent", host, these(good, root), these(other))
	renewed := ca("Example Root", nil, p256(), keyID("renewed"))
	l.add("same-name-other-key", "a root of the same name and another key", host, these(good), these(renewed))
	l.add("same-name-both-keys", "both roots of that name", host, these(good), these(renewed, root))
	l.add("same-name-no-key-id", "the wrong root first, without key identifiers", host, these(good), these(ca("Example Root", nil, p256()), root))
	nameless := sign(func() *x509.Certificate {
		t := template("")
		t.Subject = pkix.Name{Organization: []string{"Example \"Quoted\" Org"}}
		t.IsCA, t.BasicConstraintsValid = true, true
		return t
	}(), nil, p256(), nil)
	nameless2 := sign(func() *x509.Certificate {
		t := template("")
		t.Subject = pkix.Name{Organization: []string{"Example \"Quoted\" Org"}}
		t.IsCA, t.BasicConstraintsValid = true, true
		return t
	}(), nil, p256(), nil)
	l.add("hint-by-organization", "the candidate has no common name", host, these(leaf("x", nameless, p256(), dns(host))), these(nameless2))
	serialOnly := func() *Cert {
		t := template("")
		t.Subject = pkix.Name{Country: []string{"KR"}}
		t.IsCA, t.BasicConstraintsValid = true, true
		return sign(t, nil, p256(), nil)
	}
	l.add("hint-by-serial", "the candidate has neither name nor organization", host, these(leaf("x", serialOnly(), p256(), dns(host))), these(serialOnly()))
	korean := ca("예시 사설 인증기관", nil, p256())
	l.add("hint-korean", "a name that is not ASCII", host, these(leaf("x", korean, p256(), dns(host))), these(ca("예시 사설 인증기관", nil, p256())))
	rsaRoot := ca("RSA Root", nil, rsaKey(2048))
	l.add("same-name-other-rsa-key", "an RSA root of the same name and another key", host, these(leaf("x", rsaRoot, p256(), dns(host))), these(ca("RSA Root", nil, rsaKey(2048))))
	l.add("same-name-other-kind-of-key", "an ECDSA root in place of an RSA one", host, these(leaf("x", rsaRoot, p256(), dns(host))), these(ca("RSA Root", nil, p256())))
	edRoot := ca("Ed Root", nil, ed())
	l.add("ok-ed25519", "an Ed25519 root", host, these(leaf("x", edRoot, ed(), dns(host))), these(edRoot))
	l.add("same-name-other-ed25519", "another Ed25519 root", host, these(leaf("x", edRoot, p256(), dns(host))), these(ca("Ed Root", nil, ed())))

	middle := ca("Example Issuing CA", root, p256(), keyID("middle"))
	below := leaf("registry", middle, p256(), dns(host))
	l.add("ok-intermediate", "the intermediate is sent", host, these(below, middle), these(root))
	l.add("missing-intermediate", "the intermediate is not sent", host, these(below), these(root))
	l.add("intermediate-in-pool", "the intermediate is the only anchor", host, these(below), these(middle))
	l.add("intermediate-in-pool-with-root", "the intermediate stands beside the root in the pool", host, these(below), these(root, middle))
	l.add("leaf-in-pool", "the server's own certificate is in the pool", host, these(below), these(below))
	l.add("wrong-order", "intermediates in another order", host, these(below, other, middle), these(root))
	l.add("unrelated-intermediate", "an intermediate that has nothing to do with it", host, these(below, other), these(root))
	second := ca("Example Lower CA", middle, p256())
	deep := leaf("registry", second, p256(), dns(host))
	l.add("ok-two-intermediates", "two intermediates", host, these(deep, second, middle), these(root))
	l.add("upper-intermediate-missing", "the upper of two intermediates is not sent", host, these(deep, second), these(root))

	self := leaf(host, nil, p256(), dns(host))
	l.add("self-signed", "self-signed and not trusted", host, these(self), these(root))
	l.add("self-signed-trusted", "self-signed and in the pool", host, these(self), these(self))
	selfCA := leaf(host, nil, p256(), dns(host), func(t *x509.Certificate) {
		t.IsCA, t.BasicConstraintsValid = true, true
		t.KeyUsage |= x509.KeyUsageCertSign
	})
	l.add("self-signed-ca-trusted", "self-signed with the CA flag, in the pool", host, these(selfCA), these(selfCA))
	l.add("self-signed-ca-untrusted", "self-signed with the CA flag, not in the pool", host, these(selfCA), these(root))
	l.add("self-signed-renewed", "an older self-signed certificate of that name is in the pool", host, these(self), these(leaf(host, nil, p256(), dns(host))))

	plain := leaf("Plain Root", nil, p256(), func(t *x509.Certificate) { t.ExtKeyUsage = nil })
	l.add("root-without-ca-flag", "the issuer in the pool has no CA flag", host, these(leaf("x", plain, p256(), dns(host))), these(plain))
	notCA := leaf("Not A CA", root, p256(), dns("ca.example.com"))
	l.add("intermediate-not-ca", "the intermediate has no CA flag", host, these(leaf("x", notCA, p256(), dns(host)), notCA), these(root))
	noSign := ca("No Sign", nil, p256(), func(t *x509.Certificate) { t.KeyUsage = x509.KeyUsageDigitalSignature })
	l.add("root-may-not-sign", "the root's key usage does not allow it to sign", host, these(leaf("x", noSign, p256(), dns(host))), these(noSign))
	noUsage := ca("No Usage", nil, p256(), func(t *x509.Certificate) { t.KeyUsage = 0 })
	l.add("ok-root-without-key-usage", "the root has no key usage", host, these(leaf("x", noUsage, p256(), dns(host))), these(noUsage))
	short := ca("Short Path", nil, p256(), func(t *x509.Certificate) { t.MaxPathLen, t.MaxPathLenZero = 0, true })
	shortMiddle := ca("Short Middle", short, p256())
	l.add("too-many-intermediates", "the root allows no intermediate", host, these(leaf("x", shortMiddle, p256(), dns(host)), shortMiddle), these(short))
	l.add("ok-path-length-zero", "the root allows no intermediate and there is none", host, these(leaf("x", short, p256(), dns(host))), these(short))
	var many []*Cert
	for i := 0; i < 101; i++ {
		many = append(many, ca("Example Root", nil, anyKey, keyID(fmt.Sprint("other", i))))
	}
	l.add("too-many-candidates", "a hundred roots of the same name", host, these(good), many)
}

func validity(l *list) {
	root := ca("Example Root", nil, p256())
	expired := leaf("x", root, p256(), dns(host), past)
	l.add("expired", "past its end", host, these(expired), these(root))
	l.add("expired-unknown", "past its end and unknown", host, these(expired), these())
	l.add("expired-wrong-name", "past its end and for another name", "other.example.com", these(expired), these(root))
	l.add("not-yet-valid", "before its beginning", host, these(leaf("x", root, p256(), dns(host), future)), these(root))
	l.add("ends-this-second", "its last second", host, these(leaf("x", root, p256(), dns(host), dates(now.Add(-day), now))), these(root))
	l.add("begins-this-second", "its first second", host, these(leaf("x", root, p256(), dns(host), dates(now, now.Add(day)))), these(root))
	l.add("until-9999", "no end", host, these(leaf("x", root, p256(), dns(host), dates(now.Add(-day), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)))), these(root))
	oldRoot := ca("Old Root", nil, p256(), past)
	l.add("root-expired", "the root is past its end", host, these(leaf("x", oldRoot, p256(), dns(host))), these(oldRoot))
	key := p256()
	old, young := ca("Renewed Root", nil, key, past, keyID("r")), ca("Renewed Root", nil, key, keyID("r"))
	l.add("root-expired-and-renewed", "the same root once expired and once renewed", host, these(leaf("x", old, p256(), dns(host))), these(old, young))
	l.add("root-renewed-and-expired", "the same root once renewed and once expired", host, these(leaf("x", old, p256(), dns(host))), these(young, old))
	oldMiddle := ca("Old Issuing CA", root, p256(), past)
	l.add("intermediate-expired", "the intermediate is past its end", host, these(leaf("x", oldMiddle, p256(), dns(host)), oldMiddle), these(root))
	middleKey := p256()
	a, b := ca("Issuing CA", root, middleKey, past), ca("Issuing CA", root, middleKey)
	l.add("intermediate-expired-and-renewed", "both are sent", host, these(leaf("x", b, p256(), dns(host)), a, b), these(root))
	l.add("expired-in-pool", "past its end and itself in the pool", host, these(expired), these(expired))
	early := ca("Early Root", nil, p256(), future)
	l.add("root-not-yet-valid", "the root is before its beginning", host, these(leaf("x", early, p256(), dns(host))), these(early))
	l.add("intermediate-expired-unknown", "the intermediate is past its end and its root unknown", host, these(leaf("x", oldMiddle, p256(), dns(host)), oldMiddle), these())
}

func names(l *list) {
	root := ca("Example Root", nil, p256())
	with := func(cn string, options ...Option) []*Cert { return these(leaf(cn, root, p256(), options...)) }
	pool := these(root)
	l.add("name-mismatch", "two other names", "harbor.example.com", with("x", dns(host, "*.apps.example.com")), pool)
	l.add("name-mismatch-unknown", "another name and unknown", "harbor.example.com", with("x", dns(host)), these())
	l.add("wildcard", "one level", host, with("x", dns("*.example.com")), pool)
	l.add("wildcard-two-levels", "two levels", "a.b.example.com", with("x", dns("*.example.com")), pool)
	l.add("wildcard-apex", "the apex", "example.com", with("x", dns("*.example.com")), pool)
	l.add("wildcard-inside", "a wildcard that is not the whole label", host, with("x", dns("reg*.example.com")), pool)
	l.add("bare-wildcard", "an asterisk alone", host, with("x", dns("*")), pool)
	l.add("case", "upper case on both sides", "Registry.EXAMPLE.com", with("x", dns("registry.Example.COM")), pool)
	l.add("trailing-dot", "the host ends with a dot", host+".", with("x", dns(host)), pool)
	l.add("trailing-dot-in-name", "the name ends with a dot", host, with("x", dns(host+".")), pool)
	l.add("underscore", "an underscore", "my_registry.example.com", with("x", dns("my_registry.example.com")), pool)
	l.add("single-label", "a name without dots", "registry", with("x", dns("registry")), pool)
	l.add("common-name-only", "only the common name carries the host", host, with(host), pool)
	l.add("common-name-other", "only a common name, and another", "other.example.com", with(host), pool)
	l.add("common-name-wildcard", "only a wildcard as common name", host, with("*.example.com"), pool)
	l.add("common-name-beside-san", "the common name carries the host, the SAN another", host, with(host, dns("other.example.com")), pool)
	l.add("common-name-only-unknown", "only a common name, and unknown", host, with(host), these())
	l.add("no-names-at-all", "no name of any kind", host, with(""), pool)
	l.add("address", "an address", "192.0.2.10", with("x", ips("192.0.2.10")), pool)
	l.add("address-none", "an address, and names only", "192.0.2.10", with("x", dns(host)), pool)
	l.add("address-other", "an address, and others", "192.0.2.10", with("x", ips("192.0.2.11", "2001:db8::1")), pool)
	l.add("address-common-name", "the address is the common name", "192.0.2.10", with("192.0.2.10"), pool)
	l.add("address-common-name-host", "an address, and a host's name as common name", "192.0.2.10", with(host), pool)
	l.add("address-as-dns-name", "the address stands among the DNS names", "192.0.2.10", with("x", dns("192.0.2.10")), pool)
	l.add("address-6", "an IPv6 address", "2001:db8::1", with("x", ips("2001:db8::1")), pool)
	l.add("address-6-brackets", "an IPv6 address in brackets", "[2001:db8::1]", with("x", ips("2001:db8::2")), pool)
	l.add("address-mapped", "an IPv4 address written as IPv6", "::ffff:192.0.2.10", with("x", ips("192.0.2.10")), pool)
	l.add("name-wanted-address-given", "a name, and addresses only", host, with("x", ips("192.0.2.10")), pool)
	l.add("mail-only", "only a mail address", host, with(host, func(t *x509.Certificate) { t.EmailAddresses = []string{"a@example.com"} }), pool)
	var hundred []string
	for i := 0; i < 100; i++ {
		hundred = append(hundred, fmt.Sprintf("h%d.example.com", i))
	}
	l.add("hundred-names", "a hundred other names", host, with("x", dns(hundred...)), pool)
	l.add("ninety-nine-names", "ninety-nine other names", host, with("x", dns(hundred[:99]...)), pool)
	l.add("localhost", "localhost", "localhost", with("x", dns("localhost")), pool)
}

func usages(l *list) {
	root := ca("Example Root", nil, p256())
	l.add("client-only", "made for clients", host, these(leaf("x", root, p256(), dns(host), usage(x509.ExtKeyUsageClientAuth))), these(root))
	l.add("any-usage", "made for anything", host, these(leaf("x", root, p256(), dns(host), usage(x509.ExtKeyUsageAny))), these(root))
	l.add("no-usage", "no extended usage", host, these(leaf("x", root, p256(), dns(host), usage())), these(root))
	l.add("unknown-usage", "a usage that nobody knows", host, these(leaf("x", root, p256(), dns(host), usage(), func(t *x509.Certificate) { t.UnknownExtKeyUsage = []asn1.ObjectIdentifier{unknown} })), these(root))
	mail := ca("Mail CA", root, p256(), usage(x509.ExtKeyUsageEmailProtection))
	l.add("intermediate-usage", "the intermediate is for mail only", host, these(leaf("x", mail, p256(), dns(host)), mail), these(root))
	l.add("client-only-in-pool", "made for clients, and in the pool", host, func() []*Cert {
		return these(leaf("x", root, p256(), dns(host), usage(x509.ExtKeyUsageClientAuth)))
	}(), these(root))
	self := leaf(host, nil, p256(), dns(host), usage(x509.ExtKeyUsageClientAuth))
	l.add("client-only-self-signed-trusted", "self-signed, made for clients, trusted", host, these(self), these(self))
	l.add("key-usage-odd", "a server's key that may only agree on keys", host, these(leaf("x", root, p256(), dns(host), func(t *x509.Certificate) { t.KeyUsage = x509.KeyUsageCRLSign })), these(root))
	l.add("critical-unknown", "an unknown critical extension", host, these(leaf("x", root, p256(), dns(host), extension(unknown, true, emptySeq))), these(root))
	l.add("critical-unknown-expired", "an unknown critical extension, past its end", host, these(leaf("x", root, p256(), dns(host), past, extension(unknown, true, emptySeq))), these(root))
	l.add("uncritical-unknown", "an unknown extension", host, these(leaf("x", root, p256(), dns(host), extension(unknown, false, emptySeq))), these(root))
	odd := ca("Odd Root", nil, p256(), extension(unknown, true, emptySeq))
	l.add("critical-unknown-in-root", "an unknown critical extension in the root", host, these(leaf("x", odd, p256(), dns(host))), these(odd))
}

func constraints(l *list) {
	only := func(change Option, critical bool) *Cert {
		return ca("Constrained Root", nil, p256(), change, func(t *x509.Certificate) { t.PermittedDNSDomainsCritical = critical })
	}
	permitted := only(func(t *x509.Certificate) { t.PermittedDNSDomains = []string{"example.org"} }, true)
	l.add("not-permitted", "the root permits another domain", host, these(leaf("x", permitted, p256(), dns(host))), these(permitted))
	l.add("not-permitted-second-name", "another name of the certificate is not permitted", "registry.example.org", these(leaf("x", permitted, p256(), dns("registry.example.org", host))), these(permitted))
	l.add("permitted", "the root permits the domain", "registry.example.org", these(leaf("x", permitted, p256(), dns("registry.example.org"))), these(permitted))
	l.add("permitted-apex", "the domain itself", "example.org", these(leaf("x", permitted, p256(), dns("example.org"))), these(permitted))
	l.add("permitted-wildcard", "a wildcard below it", "registry.example.org", these(leaf("x", permitted, p256(), dns("*.example.org"))), these(permitted))
	l.add("not-permitted-suffix", "a name that only ends alike", "badexample.org", these(leaf("x", permitted, p256(), dns("badexample.org"))), these(permitted))
	dotted := only(func(t *x509.Certificate) { t.PermittedDNSDomains = []string{".example.org"} }, true)
	l.add("permitted-below-only", "the apex where only names below are permitted", "example.org", these(leaf("x", dotted, p256(), dns("example.org"))), these(dotted))
	excluded := only(func(t *x509.Certificate) { t.ExcludedDNSDomains = []string{"example.com"} }, false)
	l.add("excluded", "the root excludes the domain", host, these(leaf("x", excluded, p256(), dns(host))), these(excluded))
	both := only(func(t *x509.Certificate) {
		t.PermittedDNSDomains = []string{"example.com"}
		t.ExcludedDNSDomains = []string{"dev.example.com"}
	}, true)
	l.add("excluded-inside-permitted", "a part of what is permitted is excluded", "registry.dev.example.com", these(leaf("x", both, p256(), dns("registry.dev.example.com"))), these(both))
	l.add("permitted-beside-excluded", "the other part", host, these(leaf("x", both, p256(), dns(host))), these(both))
	l.add("excluded-by-wildcard", "a wildcard that reaches what is excluded", host, these(leaf("x", both, p256(), dns("*.example.com"))), these(both))
	addresses := only(func(t *x509.Certificate) { t.PermittedIPRanges = append(t.PermittedIPRanges, network("10.0.0.0/8")) }, true)
	l.add("address-not-permitted", "an address outside of the network", "192.0.2.10", these(leaf("x", addresses, p256(), ips("192.0.2.10"))), these(addresses))
	l.add("address-permitted", "an address inside", "10.1.2.3", these(leaf("x", addresses, p256(), ips("10.1.2.3"))), these(addresses))
	l.add("names-free", "names, where only addresses are constrained", host, these(leaf("x", addresses, p256(), dns(host))), these(addresses))
	noNet := only(func(t *x509.Certificate) { t.ExcludedIPRanges = append(t.ExcludedIPRanges, network("192.0.2.0/24")) }, true)
	l.add("address-excluded", "an address in an excluded network", "192.0.2.10", these(leaf("x", noNet, p256(), ips("192.0.2.10"))), these(noNet))
	mail := only(func(t *x509.Certificate) { t.PermittedEmailAddresses = []string{"example.org"} }, true)
	l.add("mail-not-permitted", "a mail address of another domain", host, these(leaf("x", mail, p256(), dns(host), func(t *x509.Certificate) { t.EmailAddresses = []string{"admin@example.com"} })), these(mail))
	uris := only(func(t *x509.Certificate) { t.PermittedURIDomains = []string{"example.org"} }, true)
	spiffe := func(text string) Option {
		return func(t *x509.Certificate) {
			u, err := url.Parse(text)
			fail(err)
			t.URIs = append(t.URIs, u)
		}
	}
	l.add("uri-not-permitted", "a URI of another domain", host, these(leaf("x", uris, p256(), dns(host), spiffe("spiffe://example.com/registry"))), these(uris))
	l.add("uri-permitted", "a URI of the domain", host, these(leaf("x", uris, p256(), dns(host), spiffe("spiffe://example.org/registry"))), these(uris))
	l.add("uri-without-host", "a URI without a host", host, these(leaf("x", uris, p256(), dns(host), spiffe("urn:example:registry"))), these(uris))
	l.add("not-permitted-and-client-only", "a name that is not permitted, made for clients", host, these(leaf("x", permitted, p256(), dns(host), usage(x509.ExtKeyUsageClientAuth))), these(permitted))
	root := ca("Free Root", nil, p256())
	held := ca("Held CA", root, p256(), func(t *x509.Certificate) {
		t.PermittedDNSDomains = []string{"example.org"}
		t.PermittedDNSDomainsCritical = true
	})
	l.add("intermediate-not-permitted", "the intermediate permits another domain", host, these(leaf("x", held, p256(), dns(host)), held), these(root))
	l.add("constrained-own-common-name", "a constrained root, and only a common name", host, these(leaf(host, permitted, p256())), these(permitted))
}

func algorithms(l *list) {
	rsaRoot := ca("RSA Root", nil, rsaKey(2048))
	base := leaf("x", rsaRoot, p256(), dns(host))
	l.add("sha1-rsa", "signed with SHA-1 by an RSA root", host, these(rework(base, rsaRoot.key, crypto.SHA1, algorithm(sha1RSA, true))), these(rsaRoot))
	l.add("md5-rsa", "signed with MD5", host, these(rework(base, rsaRoot.key, crypto.MD5, algorithm(md5RSA, true))), these(rsaRoot))
	l.add("unknown-algorithm", "signed in a way that nobody knows", host, these(rework(base, rsaRoot.key, crypto.SHA256, algorithm(unknown, false))), these(rsaRoot))
	ecRoot := ca("EC Root", nil, p256())
	l.add("sha1-ecdsa", "signed with SHA-1 by an ECDSA root", host, these(rework(leaf("x", ecRoot, p256(), dns(host)), ecRoot.key, crypto.SHA1, algorithm(sha1EC, false))), these(ecRoot))
	sha1Root := rework(rsaRoot, rsaRoot.key, crypto.SHA1, algorithm(sha1RSA, true))
	l.add("sha1-root", "the root's own signature is SHA-1", host, these(base), these(sha1Root))
	middle := ca("Old Issuing CA", rsaRoot, p256())
	sha1Middle := rework(middle, rsaRoot.key, crypto.SHA1, algorithm(sha1RSA, true))
	l.add("sha1-intermediate", "the intermediate is signed with SHA-1", host, these(leaf("x", middle, p256(), dns(host)), sha1Middle), these(rsaRoot))
	l.add("sha1-rsa-untrusted", "signed with SHA-1 by an unknown root", host, these(rework(base, rsaRoot.key, crypto.SHA1, algorithm(sha1RSA, true))), these(ecRoot))
	l.add("sha1-self-signed-trusted", "self-signed with SHA-1, in the pool", host, func() []*Cert {
		return these(selfSHA1)
	}(), these(selfSHA1))
	for _, a := range []struct {
		id        string
		algorithm x509.SignatureAlgorithm
	}{{"sha384-rsa", x509.SHA384WithRSA}, {"sha512-rsa", x509.SHA512WithRSA}, {"pss-sha256", x509.SHA256WithRSAPSS}, {"pss-sha384", x509.SHA384WithRSAPSS}, {"pss-sha512", x509.SHA512WithRSAPSS}} {
		l.add(a.id, a.id, host, these(leaf("x", rsaRoot, p256(), dns(host), func(t *x509.Certificate) { t.SignatureAlgorithm = a.algorithm })), these(rsaRoot))
	}
	for _, c := range []struct {
		id    string
		curve elliptic.Curve
	}{{"p384", elliptic.P384()}, {"p521", elliptic.P521()}} {
		root := ca(c.id, nil, ec(c.curve))
		l.add(c.id, "an authority on "+c.id, host, these(leaf("x", root, ec(c.curve), dns(host))), these(root))
		l.add(c.id+"-wrong-key", "another authority on "+c.id, host, these(leaf("x", root, p256(), dns(host))), these(ca(c.id, nil, ec(c.curve))))
	}
	l.add("p256-sha512", "ECDSA on P-256 with SHA-512", host, these(leaf("x", ecRoot, p256(), dns(host), func(t *x509.Certificate) { t.SignatureAlgorithm = x509.ECDSAWithSHA512 })), these(ecRoot))
	small := ca("Small Root", nil, rsaKey(1024))
	l.add("rsa1024-root", "a root with an RSA key of 1024 bits", host, these(leaf("x", small, p256(), dns(host))), these(small))
	l.add("rsa1024-leaf", "a server's RSA key of 1024 bits", host, these(leaf("x", ecRoot, rsaKey(1024), dns(host))), these(ecRoot))
	l.add("rsa2048-leaf", "a server's RSA key of 2048 bits", host, these(leaf("x", ecRoot, rsaKey(2048), dns(host))), these(ecRoot))
	changed := &Cert{append([]byte{}, base.der...), base.key}
	changed.der[len(changed.der)-1] ^= 1
	l.add("signature-changed", "one bit of the signature is changed", host, these(changed), these(rsaRoot))
}

var selfSHA1 = func() *Cert {
	key := rsaKey(2048)
	return rework(leaf(host, nil, key, dns(host)), key, crypto.SHA1, algorithm(sha1RSA, true))
}()

func parsing(l *list) {
	root := ca("Example Root", nil, p256())
	good := leaf("x", root, p256(), dns(host))
	sha256EC := crypto.SHA256
	negative := rework(good, root.key, sha256EC, func(p *signedPart) { p.Serial = big.NewInt(-77) })
	l.add("negative-serial", "a serial number below zero", host, these(negative), these(root))
	negativeRoot := rework(root, root.key, sha256EC, func(p *signedPart) { p.Serial = big.NewInt(-1) })
	l.add("negative-serial-in-pool", "a serial number below zero, of the root in the pool", host, these(good), these(negativeRoot))
	l.add("negative-serial-root-sent", "a serial number below zero, of a root that is sent", host, these(good, negativeRoot), these(root))
	duplicate := rework(good, root.key, sha256EC, func(p *signedPart) { p.Extensions = append(p.Extensions, p.Extensions[0]) })
	l.add("duplicate-extension", "the same extension twice", host, these(duplicate), these(root))
	critical := rework(good, root.key, sha256EC, func(p *signedPart) {
		for i := range p.Extensions {
			if p.Extensions[i].Id.Equal(asn1.ObjectIdentifier{2, 5, 29, 35}) {
				p.Extensions[i].Critical = true
			}
		}
	})
	l.add("critical-key-id", "the authority's key identifier is marked critical", host, these(critical), these(root))
	trailing := &Cert{append(append([]byte{}, good.der...), 0), good.key}
	l.add("trailing-data", "a byte follows the certificate", host, these(trailing), these(root))
	l.add("garbage-intermediate", "something that is no certificate is sent along", host, these(good, &Cert{der: []byte("hello")}), these(root))
	l.add("garbage-in-pool", "something that is no certificate in the pool", host, these(good), these(&Cert{der: []byte("hello")}, root))
	version1 := rework(root, root.key, sha256EC, func(p *signedPart) { p.Version, p.Extensions = 0, nil })
	l.add("version-1-root", "a root of version 1", host, these(good), these(version1))
	version1Leaf := rework(leaf(host, root, p256()), root.key, sha256EC, func(p *signedPart) { p.Version, p.Extensions = 0, nil })
	l.add("version-1-leaf", "a server's certificate of version 1", host, these(version1Leaf), these(root))
}
