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

## Evidence, reasons, tests

evidence-observed = { $vantage } reported { $cause }
evidence-words-state = The words themselves state { $cause }
possible-fits = what is known fits it
possible-words = the same words allow it
possible-not-excluded = nothing excludes it
verify-fresh-pull = Starts a fresh pull in a pod of its own and reads what comes of it.
