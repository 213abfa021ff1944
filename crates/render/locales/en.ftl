# Sentences of the report. Keys are named in code as report::Say keys; ko.ftl has the same keys and variables.
# A variable that ends in "count" is a number and may choose a plural; every other variable is text.

## What stands for a fact that is not known, or that differs between the pulls of one incident

some-image = the image
some-registry = the registry
some-host = the registry
some-node = the node
some-namespace = the namespace
some-subject = it
many-image = several images
many-registry = several registries
many-node = several nodes
kind-secret = secret
kind-serviceaccount = service account
kind-pod = pod
kind-cluster = the cluster

## Words of the vocabulary

stage-reference = reference
stage-policy = policy
stage-sandbox = sandbox
stage-credentials = credentials
stage-dns = dns
stage-connect = connect
stage-tls = tls
stage-http = http
stage-token = token
stage-authorization = authorization
stage-manifest = manifest
stage-platform = platform
stage-blob = blob
stage-unpack = unpack
stage-runtime = runtime
stage-other = other
phase-challenge = in the first request to /v2/
phase-token = while fetching the token
phase-manifest = while fetching the manifest
phase-blob = while fetching a blob
phase-sandbox = for the sandbox image
phase-push = during the upload
operation-pull = pull
operation-push = push
operation-sandbox = making the pod sandbox
operation-start = starting the container
confidence-confirmed = confirmed
confidence-likely = likely
confidence-possible = possible
why-forbidden = forbidden
why-timed-out = timed out
why-not-asked = not asked
why-unreadable = unreadable
why-not-understood = no conclusion rests on it
why-failed = failed
why-truncated = cut off

## Heads

head-hits = hits
head-evidence = evidence
head-compare = compare
head-ruled-out = ruled out
head-possible = or else
head-next-test = next test
head-next-step = next step
head-fix = fix
head-undo = undo
head-verify = verify
head-blind = not seen
head-meaning = meaning
head-about = about

## Counts

count-incidents = { $count ->
    [one] 1 incident
   *[other] { $count } incidents
}
count-failing = { $count ->
    [one] 1 failing pull
   *[other] { $count } failing pulls
}
count-pull = { $count ->
    [one] 1 pull
   *[other] { $count } pulls
}
count-push = { $count ->
    [one] 1 push
   *[other] { $count } pushes
}
count-sandbox = { $count ->
    [one] 1 sandbox
   *[other] { $count } sandboxes
}
count-start = { $count ->
    [one] 1 start
   *[other] { $count } starts
}
count-pods = { $count ->
    [one] 1 pod
   *[other] { $count } pods
}
count-nodes = { $count ->
    [one] 1 node
   *[other] { $count } nodes
}
count-well = { $count ->
    [one] 1 pod is well
   *[other] { $count } pods are well
}
count-causes = { $count ->
    [one] 1 kind of failure
   *[other] { $count } kinds of failure
}
count-lines = { $count ->
    [one] 1 line
   *[other] { $count } lines
}
hit-images = images
hit-pods = pods
hit-nodes = nodes
hit-registries = registries
hits-truncated = The lists are cut; the counts are whole.
and-more = and { $count } more
more-in-wide = { $count } more with -o wide
on-node = { $node }

## The report

nothing-fails = Nothing is failing
nothing-found = No failing pull was found
pods-not-seen = pods could not be listed, so some may fail unseen
scope-all-namespaces = all namespaces
scope-namespace = namespace { $name }
scope-target = { $name }
scope-selector = pods with { $name }
scope-context = context { $name }
scope-saved = saved input
scope-probe = probe from this machine
scope-demo = demo: a registry in this process
place-line = line { $line } of the text
not-reached = not reached
write-file = Write { $path }:
test-from = from: { $vantage }
vantage-here = this machine
vantage-node = the node itself
vantage-kubectl = wherever kubectl works
test-splits = tells apart: { $causes }
complaint = error

## explain

at-stage = stage { $stage }
about-operation = operation
about-image = image
about-registry = registry
about-asked = host asked
about-status = HTTP status
about-client = client
from-to = { $first } to { $last }
log-without-failures = No failing pull or push in this log.
jsonl-unread = { $count ->
    [one] 1 line is no JSON object with a string "text": line { $first }; it was answered with not-a-pull-failure
   *[other] { $count } lines are no JSON objects with a string "text", the first is line { $first }; they were answered with not-a-pull-failure
}

## Evidence, reasons, tests

evidence-observed = { $vantage } reported { $cause }
evidence-words-state = The words themselves state { $cause }
possible-fits = what is known fits it
possible-words = the same words allow it
possible-not-excluded = nothing excludes it
verify-fresh-pull = Starts a fresh pull in a pod of its own and reads what comes of it.
evidence-account-ends = The account { $name } ends at { $at }
evidence-account-is-known = The registry knows the account { $user }
evidence-account-is-spelled = The account is spelled { $meant }, and the secret holds { $user }
evidence-audit = { $user } did this: { $verb } { $object } at { $at }
evidence-created-at = Created at { $at }
evidence-entry-serves = The entry { $key } serves { $image }
evidence-entry-outside-auths = The entry { $key } does not stand where the secret's type has its entries: the kubelet passes over it
evidence-entry-without-user = The entry { $key } holds no user name and password
evidence-event = Event { $reason } of { $object }
evidence-immutable-younger = An object that cannot be changed was made anew at { $at }, after the pod
evidence-key-nearly-fits = The key { $key } means { $registry }, and does not match it as the kubelet compares
evidence-kubelet-cannot-retrieve = The kubelet says that it cannot retrieve the secret { $name }
evidence-list-was-patched = Somebody had set this list
evidence-names-secret = The secret { $name } is named here
evidence-name-completed = { $image } names no registry, and the node completes it with { $registry }
evidence-no-entry-serves = No entry serves { $image }
evidence-owned-by = Owned by { $kind } { $name }
evidence-password-has-line-break = The password begins or ends with a blank or a line break
evidence-variable-not-filled-in = User name or password is the name of a variable that was never filled in
evidence-pod-names-no-secret = The pod names no pull secret
evidence-pull-secrets-misplaced = imagePullSecrets stands where it is not read
evidence-registry-lists-account = The registry lists the account { $name }
evidence-registry-says-expired = The registry itself says that { $name } has expired
evidence-answer-says-expired = The registry answers the same request with { $status } and says that the credential has expired.
evidence-secret-decodes = The secret decodes
evidence-secret-does-not-decode = The content does not decode
evidence-secret-holds-user = The secret holds the user name { $user }
evidence-secret-in-other-namespace = A secret { $name } is in the namespace { $namespace }
evidence-secret-is-there = The secret { $name } is there
evidence-secret-without-auths = Its content is no list of registries: there is no "auths" in it
evidence-secret-key-missing = The data key that this type needs is missing; there is: { $keys }
evidence-secret-listed = The list of namespace { $namespace } has the secret { $name }
evidence-secret-not-found-line = A command says that the secret { $name } is not found
evidence-secret-not-in-list = The list of namespace { $namespace } has no secret { $name }
evidence-secret-not-in-namespace = There is no secret { $name } in namespace { $namespace }
evidence-secret-type-fits = The type is one that the kubelet reads
evidence-secret-type-not-read = The type { $type } is not read as a pull secret
evidence-session-ended = The user's session has ended
evidence-session-ended-of = The session of { $user } has ended
evidence-shell-changed-user = The shell changes { $user } on this line
evidence-token-ends = The token ended at { $at }; the pull failed at { $failed }
evidence-tool-deleted = A tool says here that it deletes { $name }
evidence-tracked-by = Tracked by a tool: { $key } = { $value }
evidence-unattached-serves = The secret { $name } serves { $image } and is named nowhere
evidence-password-is-job-token = The password has the form of a CI job's token, which ends with the job, after { $hours } hours by default
evidence-user-is-token = The user { $user } stands for a token that lives { $hours } hours
evidence-words-anonymous = The request was made without credentials
evidence-words-credentials-sent = Credentials were sent
evidence-words-want-credentials = The answer asks for credentials
evidence-image-was-pulled = { $image } was pulled elsewhere, so the registry has it
evidence-worked-before = The same credentials worked at { $registry } before
evidence-written-at = Written at { $at }; the pull failed at { $failed }
evidence-written-by = Written by { $manager } at { $at }
ask-account-serves-image = Do the service account's pull secrets serve this image?
ask-anything-serves-image = Does any secret that the pod names serve this image?
ask-credential-expired = Has the credential expired?
ask-credential-worked-before = Did the same credentials work before?
ask-credentials-sent = Were credentials sent?
ask-each-rung = What does the registry answer at each step, asked from here?
ask-expiry-stated = Does the registry say that the credential has expired?
ask-network-plugins = Are the network plugins and their configuration on the node?
ask-pull-elsewhere = Is the image as broken where another machine pulls it?
ask-node-endpoints = Which endpoints and certificate authorities does the node's configuration come to?
ask-image-withheld = Is what was asked for there, and withheld for want of credentials?
ask-key-meant-for-registry = Is a key of the secret meant for this registry, and spelled otherwise?
ask-mangling-seen = Is it seen where the value was changed?
ask-named-secrets = Are the named pull secrets there?
ask-pod-names-secrets = Does the pod name pull secrets of its own?
ask-pod-predates-secret = Is the pod older than the change?
ask-pruning-seen = Is the deletion by a tool seen?
ask-refused-for-want-of-credentials = Was the request refused for want of credentials?
ask-repository-there = Does the repository exist in the registry?
ask-reverted-by-controller = Does a controller put the object back?
ask-secret-decodes = Does the secret decode?
ask-secret-elsewhere = Is the secret in another namespace?
ask-secret-exists = Does the secret exist in the pod's namespace?
ask-secret-garbage-collected = Does garbage collection delete the secret?
ask-secret-gone-for-good = Is the secret gone for good?
ask-secret-malformed = Is the secret's content malformed?
ask-secret-pruned = Does a GitOps tool prune the secret?
ask-secret-serves-image = Does the secret have an entry that matches this image?
ask-secret-type-fits = Does the secret have a type and key that the kubelet reads?
ask-session-ended = Has an OIDC session ended?
ask-session-of-user = Is it the session of the user in the secret?
ask-unattached-secret-serves = Is there a secret that would serve, and that nothing names?
ask-user-mangled = Is the user name in the secret another than the account's?
ask-words-state-it = Do the words themselves state the cause?
ask-words-state-a-rate-limit = Do the words speak of a rate limit?

## Remedies

remedy-attach-secret = Let the service account { $account } name the secret { $name }
remedy-copy-secret = Copy the secret { $name } from { $from } into namespace { $namespace }
remedy-create-secret = Create the secret { $name } in namespace { $namespace }
remedy-keep-from-pruning = Keep the secret { $name } from being pruned
remedy-mend-at-source = Change it where the controller takes it from
remedy-name-both-lists = Name all of these in the pod template: { $names }
remedy-recreate-secret = Create the secret { $name } anew
remedy-rekey-secret = Create the secret { $name } anew, for { $server }
remedy-remake-pod = Make the pod { $pod } anew
remedy-renew-credential = Renew the credential for { $registry }
remedy-retype-secret = Create the secret { $name } anew with the type that the kubelet reads
remedy-robot-account = Use a robot account of { $registry } for pulls
ask-generator-drops-marks = Let what makes { $name } leave out the tool's labels and annotations.
ask-make-robot-account = Make a robot account with pull rights at { $registry }.
ask-mend-in-controllers-source = Change { $object } in the source that its controller renders from.
ask-renew-automatically = Let something renew it before it ends: a credential provider, or a controller.
scope-controller-of-object = everything that the controller of { $object } makes
scope-new-pods-of-account = new pods of the account { $namespace }/{ $account }
scope-one-pod = the pod { $pod }
scope-pods-naming-secret = pods in { $namespace } that name { $name }
scope-workload-of-pod = the workload of { $pod }
risk-controller-writes-all-its-copies = the controller writes all its copies
risk-copy-has-no-owner = nobody keeps the copy up to date
risk-none-running-pods = running pods are not touched
risk-other-entries-are-lost = other entries of the secret are lost unless given again
risk-owner-makes-it-again = who made it may make it again
risk-pod-restarts = the pod starts anew
risk-rollout = the workload rolls out
risk-tool-no-longer-prunes = the tool no longer removes it

## More evidence, questions and remedies

evidence-account-names = The service account names pull secrets
evidence-account-names-none = The service account names no pull secret
evidence-account-serves-not = None of the service account's pull secrets serves the image
evidence-entry-is-for-mirror = The entry is for { $host }, while the image is { $image }
evidence-mirror-refused = { $host } refused the request
evidence-pod-names = The pod names the same pull secrets
evidence-provider-covers = The provider { $provider } covers { $image }
evidence-provider-covers-not = The provider { $provider } does not cover { $image }
evidence-provider-failed = The kubelet's log says that a credential provider failed
evidence-provider-is-docker-helper = { $provider } is a helper of the docker command line, which does not speak the kubelet's protocol
evidence-provider-refused = The kubelet's log says that a credential provider was refused
evidence-kubelet-looks-home = The kubelet looks into root's home
evidence-kubelet-looks-not-home = The kubelet does not look into root's home
evidence-kubelet-without-providers = The kubelet runs without the option that names the credential providers (--image-credential-provider-config)
evidence-runtime-credentials-elsewhere = The runtime's own credentials stand under { $host }, and it asks { $asked }
evidence-runtime-credentials-fit = The runtime's own credentials stand under the host that it asks: { $asked }
evidence-static-pod = A static pod gets no pull secrets from a service account
ask-mirror-credentials-unused = Has the pod an entry for the mirror that refused, which the image's name does not select?
ask-provider-covers-image = Does the kubelet's credential provider work for this image?
ask-provider-failed = Did a credential provider fail this time?
ask-provider-fault-seen = Is the provider's fault itself seen?
ask-runtime-credentials-fit = Do the runtime's own credentials stand under the host that it asks?
ask-add-mirror-to-node-pull-secret = Add an entry for { $mirror } to the pull secret that the nodes use.
ask-provider-pattern-or-right = Correct the provider's matchImages for { $registry }, its binary, or the node's rights.
ask-put-file-back = Put the former file back.
ask-rename-runtime-table = In { $file }, put the credentials under { $host }.
remedy-mend-provider = Make the credential provider answer for { $registry }
remedy-node-credentials-for-mirror = Give { $mirror } credentials where the runtime reads them
remedy-rename-runtime-credentials = Put the runtime's credentials under { $host }
risk-credential-for-all-pods = every pod on the nodes may pull with them
risk-kubelet-restarts = the kubelet restarts; running pods go on
risk-runtime-restarts = the runtime restarts; running containers go on
scope-one-node-first = first { $node } alone, then the other nodes
# The way to a registry, and what stands in front of it.
ask-authorization-dropped = Does something on the way drop or replace the Authorization header?
ask-blob-elsewhere = Did the pull end at a host to which the registry sends clients for blobs?
ask-chain-incomplete = Does the server leave out an intermediate certificate?
ask-cluster-name = Is the name one that only the cluster's own DNS serves?
ask-dead-resolver = Does the node's resolver fail where others' works?
ask-direct-works = Does the registry answer without a proxy?
ask-head-refused = Is HEAD refused where GET passes?
ask-intercepted = Does a device on the way present certificates of its own?
ask-mirror-asked = Was a mirror asked, and not the registry of the image?
ask-mtu = Are packets larger than the path takes?
ask-node-clock = Is the node's clock wrong?
ask-others-pass = Does another node reach the same host?
ask-only-target = Does the registry run on this node, and not on another that reaches it?
ask-own-address = Is the registry's address one of the node's own?
ask-proxy-elsewhere = Is a proxy set elsewhere, and not for the runtime?
ask-realm-wrong = Does the challenge send clients to a token service that they cannot use?
ask-through-proxy = Do the registry's requests go through the runtime's proxy?
ask-token-realm-off = Is the registry's token realm switched off?
ask-token-window = Does a token's window fit the registry's clock?
ask-address-differs = Does the name lead this node to another address than it leads others?
ask-absent-behind-fallback = Is the error that of a fallback without the CA, while the registry answered that the image is not there?
ask-address-refused = Is it the client's address that is refused?
ask-front-refuses = Is it a front end that refuses, and not the registry's API?
ask-loopback-served = Are node ports served on the loopback address?
ask-node-port = Is the local port one that a Service opens on every node?
ask-not-a-registry = Does another program than a registry answer at the API's root?
ask-resolvers-disagree = Do the node's own name servers give different answers?
ask-right-address-serves = Does the registry answer at the address that others use?
ask-upstream-refuses = Does the registry's own log say that its upstream refused it?
ask-upstream-not-reached = Does the registry's own log say that it could not reach its upstream?
evidence-accepted-directly = It is accepted without the proxy.
evidence-active-realms = The list of active realms decides whether token logins work.
evidence-basic-passes = The same account passes with Basic authentication.
evidence-blob-host = The request went to { $host }, where { $registry } sends clients for blobs.
evidence-chain-sent = The server sends a chain of { $count } certificates.
evidence-cluster-name = { $host } is a Service name: only the cluster's own DNS serves it, and nodes do not ask that.
evidence-dead-resolver = The resolver that was asked does not exist: the node has no name server that works.
evidence-direct-works = Without a proxy the registry answers.
evidence-front-replaces-authorization = The front end sets an Authorization header of its own.
evidence-get-passes = GET of the same URL passes.
evidence-goes-past-proxy = Requests to { $host } go past the proxy.
evidence-goes-through-proxy = NO_PROXY does not cover { $host }: its requests go through the proxy.
evidence-head-refused = HEAD is refused.
evidence-inspecting-issuer = The certificate was issued by { $issuer }: an inspecting device.
evidence-issuers-differ = From here the issuer is { $issuer }.
evidence-leaf-alone = The server sends its own certificate alone; the issuer { $issuer } is missing.
evidence-manifest-request = The request was for the manifest, at { $host }.
evidence-mirror-asked = { $host } was asked for an image of { $registry }.
evidence-mtu-path = The path takes no more than { $mtu } bytes.
evidence-mtu-set = The node sends packets of up to { $mtu } bytes.
evidence-node-clock-off = The clock of node { $node } is off by { $seconds } seconds.
evidence-node-clock-right = The clock of node { $node } is right to { $seconds } seconds.
evidence-other-node-reaches = Another node reaches the same host.
evidence-registry-runs-here = The registry runs on this node.
evidence-registry-runs-not-there = { $node } reaches it and runs no registry.
evidence-own-address = { $address } is the node's own address.
evidence-packet-too-big = A packet was too big for the path.
evidence-proxy-of-other-scheme = Only { $name } is set, which does not count for the registry's requests
evidence-proxy-set-elsewhere = A proxy is set here, where the runtime does not see it.
evidence-public-name = { $host } is no Service name.
evidence-realm = The challenge names the token service { $realm }.
evidence-registry-itself-asked = The registry's own API was asked, at { $host }.
ask-renew-certificate = Renew the certificate that { $host } serves, with its whole chain, and restart what serves it.
remedy-renew-certificate = Renew the certificate of { $host }
evidence-certificate-ran-out = A certificate that the host presents ended at { $at }.
ask-blob-host-dead = Does another client fail at the host of the blobs, and not at the registry?
ask-run-out-seen = Had a certificate that the host presents run out?
ask-inspector-seen = Is the certificate that the client refused a known inspector's?
ask-window-logged = Does the registry's log speak of the token's window at the time of the failure?
ask-basic-passes = Does the registry take an account by Basic that its token service refuses?
ask-dropped-on-own-way = Does the runtime's own proxy drop the header of a request that the registry takes?
ask-realm-leads-nowhere = Did the pull end on the way to the address that the challenge gave?
evidence-unit-changed-on-disk = The unit's files were changed after it was started.
evidence-unit-gives-proxy = The unit's { $file } gives the runtime a proxy setting
evidence-process-without-units-proxy = The runtime's process does not run with what its unit gives it
evidence-words-of-direct-way = The words show that the registry was asked directly, past the proxy of the unit
evidence-words-of-other-proxy = The words show that another proxy setting than the unit's was in force
evidence-other-kubelet-has-providers = The kubelet of { $node } is told of credential providers.
evidence-kubelet-of = The kubelet is { $version }: neither k3s nor RKE2.
evidence-made-by-runtime = The pull was made by { $runtime }.
evidence-same-certificate = The certificate seen by hand at { $host } has the limit that the message states.
evidence-elsewhere-served = { $host } is not served by this machine.
evidence-never-connected = The connection did not come about: no large packet was sent.
evidence-refused-through-proxy = The same request with credentials is refused through the proxy.
evidence-runtime-has-proxy = The runtime has a proxy.
evidence-runtime-without-proxy = The runtime's own environment names no proxy.
evidence-token-refused = The token service refuses the account.
evidence-token-window = The registry says that a token's window does not fit its clock.
evidence-token-run-out-when-fresh = A token that was fetched for this request had run out { $minutes } minutes before: whoever issued it is behind.
evidence-challenged-just-before = The registry had asked for that token a moment before.
ask-signature-time = Was a signed request of the node refused for its time?
evidence-signature-time = A signed request of this node was refused for its time.
ask-hides-missing = Does this product answer for a missing repository as if access were refused?
evidence-product-tells = This product ({ $product }) is known to answer { $statuses } for a missing repository: its refusal is about the account.
evidence-product-hides = This product ({ $product }) is known to answer { $statuses } for a missing repository, as it does where access is refused.
ask-public = Is the repository served without credentials?
evidence-served-to-anybody = The registry serves { $repository } to who sends no credentials.
evidence-refused-to-anybody = The registry does not serve { $repository } to who sends no credentials.
causes-title = Causes
causes-about = Every cause that Pullproof names, by the stage at which it ends a pull. This file is generated: cargo xtask causes.
causes-shows-as = Shows as
causes-behind = May stand behind it
causes-proves = What shows it
causes-rules-out = What rules it out
causes-fix = What removes it
compare-who = who, from where
compare-what = image or URL
compare-answer = answer
remedy-name-for-nodes = Name the registry so that nodes find it, not as { $host }
remedy-mend-resolver = Give { $node } name servers that answer
remedy-one-view = Let all name servers of { $node } give the same answers
remedy-right-address = Let { $host } lead to the registry
remedy-not-loopback = Address the registry by a node's own address, not as { $registry }
remedy-ask-network = Ask the network team to let { $host } through
remedy-trust-device = Until then: trust the device's CA for { $host }
remedy-set-clock = Set the clock of { $node }, and keep it
remedy-send-chain = Let { $host } send its whole certificate chain
remedy-lower-mtu = Let { $node } send packets that fit the path
remedy-not-through-itself = Give { $node } a way to { $host } that does not lead back to itself
remedy-proxy-for-unit = Set the proxy in the unit of { $service }
remedy-past-proxy = Let requests to { $registry } go past the proxy
remedy-under-the-limit = Stay under the limit of { $registry }
remedy-mend-mirror = Bring the mirror { $host } back, or go past it
remedy-renew-upstream = Renew the account with which { $registry } asks its upstream
remedy-name-the-api = Name the host and port of the registry's API, not { $host }
remedy-let-through = Have the nodes' requests to { $registry } let through
remedy-realm-on = Switch the token realm of { $registry } on
remedy-keep-authorization = Let the Authorization header reach { $registry } as it was sent
remedy-same-time = Set the clocks of { $registry } and of its token service
remedy-right-realm = Let { $registry } name its token service as clients reach it
risk-node-names = every name that the node looks up may change
risk-device-reads-all = the device goes on reading what is sent to this host
risk-clock-jumps = certificates and tokens are judged by the new time at once
risk-network-blip = connections of the node may break off for a moment
ask-name-that-nodes-resolve = Use a name or address that the nodes' own resolver knows (an Ingress, a LoadBalancer, a node port), or add { $host } to the nodes' DNS.
ask-name-servers-that-answer = Name servers that answer in the node's network configuration (netplan, NetworkManager, DHCP), not in resolv.conf alone.
ask-resolvers-of-one-view = Keep only name servers that know { $host }, or forward its zone to one that does.
ask-correct-record = Correct the record or the hosts line that gives { $host } this address, and wait until caches expire.
ask-name-registry-by-node-address = Name the image by a node's address and port, or by a mirror entry for { $registry } that leads there.
ask-runtime-reads-that-ca = Refer to that file in hosts.toml of { $host } (containerd), or put it into the directory that Docker or CRI-O reads.
ask-serve-full-chain = Configure { $host } with the full chain.
ask-keep-mtu = Make it last in the network configuration or the overlay's MTU setting.
ask-hairpin-or-inner-address = Let the load balancer accept traffic of its own backends, or give the nodes an inner address for { $host }.
ask-add-to-no-proxy = Add { $host } to NO_PROXY in that file.
ask-sign-in-or-mirror = Pull with an account of { $registry }, through a mirror, or more slowly.
ask-mend-or-pass-by-mirror = Mend { $host }, or take it out of the mirrors until it answers.
ask-renew-upstream-account = Enter a valid account in the proxy project or cache of { $registry }, and test the connection there.
ask-find-the-api = Find the host and port at which the registry's API answers, and name images by it; { $host } serves something else.
ask-switch-realm-on = Add the token realm to the active realms (Nexus: Docker Bearer Token Realm).
ask-pass-authorization-on = Take the line away that sets or unsets Authorization, or pass the client's own on.
ask-set-clocks-of-registry = Keep both by the same time service.
ask-set-external-url = Set the external URL of { $registry } (scheme, host, port) as clients use it, and X-Forwarded-Proto in front of it.
request-let-through = Request to the network team: please allow HTTPS from the cluster's nodes, without changing it, to: registry { $registry }; token service { $token }; layers { $blobs }. Methods GET, HEAD and POST, the Authorization header and redirects must pass. Measured from { $from } { $when }, at { $host }: { $met }
request-exempt-from-inspection = Request to the network team: please exempt these hosts from TLS inspection for the cluster's nodes: registry { $registry }; token service { $token }; layers { $blobs }. Container runtimes verify certificates against their own trust store. Measured from { $from } { $when }, at { $host }: { $met }
evidence-catalog-empty = The registry's own catalogue is empty.
evidence-signer-clock-behind = The registry signs blob addresses with a clock that is { $seconds } s behind the blob store's
evidence-fetched-from-other-host = registries.conf has { $image } fetched from { $host }, and a credential for the image goes to no other host
evidence-registry-without-volume = The registry's container has no volume: what it keeps ends with it
evidence-file-of-another-runtime = { $file } is Docker's; pulls are made by { $runtime }, which does not read it.
evidence-lookup-fails-here = The lookup fails on this node.
evidence-lookup-works-elsewhere = The same name is found elsewhere.
evidence-lookup-works-here = The name is found on this node.
evidence-packet-lost = A packet of { $mtu } bytes that may not be broken up is lost.
evidence-packet-passes = A packet of { $mtu } bytes passes.
evidence-address-asked = The node took this address for { $host }.
evidence-address-elsewhere = Asked elsewhere, { $host } has this address.
evidence-address-refused = The client's address is not allowed here.
evidence-hosts-file-line = The node's hosts file says where { $host } is.
evidence-hosts-file-without = The hosts file of { $node } has no line for { $host }, and images of the registry run there
evidence-first-entry-trusts = An entry for { $host } has what its certificate needs: it is asked first, and shows no error where the image is not there
evidence-fallback-without-ca = The same { $host } is asked again as the fallback, without the CA: containerd 1.x shows its error
evidence-absent-elsewhere = On { $node } the same image is not there
evidence-local-port-answers = The local port answers.
evidence-node-port = A Service opens port { $port } on every node.
evidence-page-at-api-root = { $host } answers with a web page at the API's root (server: { $server }).
evidence-page-refuses = A page in front of { $host } refuses the request (server: { $server }).
evidence-proxy-mode = kube-proxy works in mode { $mode }.
evidence-registry-answers = The registry's API answers at { $host }.
evidence-resolver-says = Name server { $server } answers so.
evidence-right-address-serves = The registry answers at the other address.
evidence-upstream-refuses = { $host } refused the cache's own request.
evidence-fetch-refused = The registry was fetching the image from its own upstream, which refused its account.
evidence-upstream-not-reached = The registry's own log says that it could not reach { $host }
words-state-a-rate-limit = Do the words themselves speak of a rate limit?
evidence-garbage-collection-ran = Garbage collection of images ran on this node
evidence-image-known-since = { $image } was known to be there at { $at }
evidence-image-listed = { $image } is among the images on { $place }
evidence-image-runs = A pod runs { $image } on { $place }
evidence-image-not-listed = The image is not among those on { $place }
evidence-image-removed = { $image } was removed here
evidence-kubelet-version = The kubelet is { $version }
evidence-name-without-registry = The image's name has no registry
evidence-pull-policy = The pull policy is { $policy }
evidence-push-failed = The push failed here: { $cause }
evidence-registry-pod-began = The registry's pod began at { $at }
evidence-registry-storage-ends-with-pod = The registry keeps its data in { $volume }, which ends with its pod
evidence-repository-is-not-there = The registry has no repository { $repository }
evidence-repository-is-there = The registry has the repository { $repository }
evidence-pause-image-for-kubelet = The runtime does not read this flag of the kubelet
evidence-pause-image-not-read = The runtime does not read this key, which names { $image }
evidence-token-not-accepted = The registry's log says what it does not accept of the token
evidence-registrys-service = The audience that the registry wants in a token
evidence-sandbox-without-credentials = { $image } is the sandbox image, which is pulled without a pod's credentials
evidence-tag-is-not-there = The registry does not have { $reference }
evidence-tag-is-there = The registry has { $reference }
evidence-token-does-not-help = A token for { $repository } was issued, and the request still failed
ask-image-not-elsewhere = Is it an image that no pull can bring back?
ask-image-on-node = Is the image on the node?
ask-image-only-local = Is the image only on the machine that built it?
ask-image-only-local-seen = Was it seen that the image never was anywhere else?
ask-image-removed-here = Did the node remove the image?
ask-kubelet-verifies = Does this kubelet verify credentials for images that are on the node?
ask-policy-not-always = Would the image on the node do, by the pull policy?
ask-registry-loss-seen = Was the registry restarted after the image was known to be there?
ask-registry-storage-lost = Did the registry lose its storage?
ask-pause-image-for-kubelet = Is another pause image set where only the kubelet looks?
ask-pause-image-by-another-name = Is the pause image on the node under another name?
ask-token-refused = Does the registry's log say that it does not accept the token?
ask-token-refused-for-image = Does it say so of the request for this image?
ask-sandbox-image = Was it the sandbox image?
ask-tag-there = Has the registry the tag or digest?
ask-attach-pull-secret = Attach a pull secret for { $registry } to the pod or its service account.
ask-find-or-push-repository = Look for { $repository } in the registry's list: correct the name, or push it.
ask-give-registry-lasting-volume = Give { $registry } a volume that outlives its pod.
ask-enlarge-registry-volume = Give { $registry } more room, or let it collect what nothing refers to.
ask-image-from-registry-of-own = Push the image to a registry that the nodes reach, and name it by that.
ask-load-or-pin-image = Load the image onto the node again, and pin it there.
ask-push-images-again = Push the images again.
ask-push-or-choose-tag = Push { $image }, or name a tag that exists.
ask-set-sandbox-image = Set a sandbox image that the node can pull, or load it onto the node.
remedy-give-pod-credentials = Give the pod credentials that may use { $image }
remedy-keep-image-on-node = Bring the image back to { $node }, and keep it there
remedy-lasting-storage = Give { $registry } storage that lasts, and push the images again
remedy-free-registry-storage = Make room in the storage of { $registry }, then push again
remedy-name-existing-repository = Name a repository that exists, or push { $repository }
remedy-push-image = Push { $image }
remedy-push-tag-or-name-existing = Push { $image }, or name a tag that exists
remedy-reachable-sandbox-image = Use a sandbox image that { $node } can pull
risk-disk-stays-full = the disk stays full until something else goes
risk-registry-restarts = the registry restarts
scope-image = every pod that uses { $image }
scope-registry = everything in { $registry }

step-put-lines = Put these lines into { $file }, beside what is there: { $lines }
evidence-pushed = The registry accepted a push of { $image }
evidence-registry-volume-made = The volume of the registry was made at { $at }
evidence-secret-made = The secret was made at { $at }
ask-account-refused = Was the same account refused elsewhere too?
ask-challenge-hidden = Does a front end take the challenge out of the answers?
ask-challenge-missing = Is a 401 sent without a challenge that says how to log in?
ask-forward-proto = Let the front end of { $registry } send X-Forwarded-Proto: https (or set the registry's external address), then push again
ask-let-challenge-pass = Let the front end of { $registry } pass WWW-Authenticate on
ask-meet-or-exempt = Resolve the finding that the policy names for { $image }, or exempt it in the project
ask-name-completed = Was the name without a registry completed with another than Docker Hub?
ask-name-without-registry = Does the name lack the registry that the pod's secrets are for?
ask-policy-withholds = Does the registry say that a policy withholds the image?
ask-registry-full = Does the registry's log say that it has no space left?
ask-served-there = Does that registry serve the image under this name?
ask-upload-location = Does the registry send the upload to another scheme?
ask-upload-plain = Was the upload sent over plain HTTP to the registry's own host?
evidence-accepted-behind = The same request is accepted behind the front end
evidence-account-refused = The account { $user } was refused here too
evidence-asks-basic = The registry asks for Basic, so no token is fetched
evidence-challenge-missing = A 401 without a challenge: a client cannot tell how to log in
evidence-challenge-unknown = A 401 that only asks for { $schemes }: no container runtime answers that
evidence-issuer-not-sent = The certificates that the server sends do not belong together: the issuer { $issuer } is not among them.
evidence-upstream-limits = The registry's own upstream limits its requests
ask-upstream-limits = Does the registry's own log say that its upstream limits it?
evidence-front-limits-body = A front end of the registry limits the size of what is sent
ask-body-limited = Does a front end of the registry limit the size of what is sent?
remedy-raise-body-limit = Let the front end of { $registry } take bodies of any size
ask-raise-body-limit = Raise the limit in front of { $registry } (client_max_body_size 0, LimitRequestBody 0, proxy-body-size "0"), then push again
evidence-registry-read-only = The registry is set to read-only
ask-registry-read-only = Is the registry set to read-only?
remedy-let-registry-write = Let { $registry } take pushes again
ask-end-read-only = Turn the read-only mode of { $registry } off, restart it, and push again
evidence-account-scopes = The registry lists what { $name } may do
ask-account-scopes = Does the account lack the scope with which images are read?
evidence-account-changed = { $user } was changed at the registry on { $at }, after its password was stored here
ask-account-changed = Was the account changed at the registry after its password was stored here?
ask-providers-newer = Was the kubelet's provider configuration changed after the kubelet had started?
remedy-restart-kubelet = Restart the kubelet of { $node }, so that it reads its provider configuration
evidence-registry-moved = The registry, which keeps its images on its node's own disk, came to another node on { $at }
evidence-challenge-sent = The 401 carries a challenge
evidence-front-hides-challenge = The front end takes the challenge out of the answer
evidence-image-belongs-to = This names { $registry } as the registry
evidence-policy-withholds = The registry says that a policy withholds the image
evidence-registry-full = The registry's log says that it has no space left
evidence-refused-in-front = Refused at the registry's public name
evidence-secret-is-for = The attached secret is for this registry
evidence-secret-refused-for-key = The secret { $name } could not be written: the data key of its type is missing
evidence-served-there = That registry has the image under this name
evidence-upload-location = The upload is sent to { $location }
evidence-upload-plain = The upload went over plain HTTP
remedy-let-challenge-pass = Let the challenge of { $registry } reach its clients
remedy-meet-policy = Meet the policy of the registry, or exempt the image
remedy-name-registry = Put the registry in front of { $image }
remedy-tell-registry-its-address = Tell { $registry } under which address it is reached
