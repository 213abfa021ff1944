# What `pullproof node` shows of one node. ko-inspect.ftl has the same keys and variables.

## Heads and rows

head-node-runtime = runtime
head-node-machine = machine
head-node-endpoints = endpoints
head-node-errors = errors
head-node-findings = findings
head-node-pull = pull
head-node-clients = clients
level-error = error
level-warning = warning
level-note = note
node-no-runtime = no runtime could be looked at
node-state-ok = { $runtime }
node-state-daemon-fails = { $runtime }: with these files the daemon does not start
node-state-cri-not-loaded = { $runtime }: with these files the CRI image service does not load
node-row-distribution = distribution
node-row-kept = written for it
node-row-change = lasting change
kept-until-start = { $path }: written anew at each start
kept-until-replaced = { $path }: lost when the node is replaced or upgraded
kept-put-back = { $path }: put back by the cluster, or the node counts as degraded
kept-read-only = { $path }: cannot be changed on the node
node-row-pull-path = pull path
node-row-files = files
node-row-config-path = config_path
node-row-mirrors = mirrors
node-row-hosts = host tables
node-row-sandbox = pause image
node-row-process = process
node-row-proxy = its proxy
node-row-cri = socket
node-row-condition = condition
node-row-other = also here
node-row-dns = name servers
node-row-lookup = name lookup
node-lookup = { $host }: the runtime asks { $go }; curl and other programs of the C library ask { $glibc }
node-row-hosts-file = hosts file
node-row-route = default route
node-row-clock = clock
node-row-store = image store
node-row-kubelet = kubelet
node-row-provider = credential plugin
node-row-records = pull records
node-none = none
node-unnamed = the node
node-files-unread = none that could be read
node-assumed = Not sure: these could not be read, and may say otherwise: { $files }
node-no-files = none, what is built in counts
node-pull-path-local = { $because ->
    [none] local: containerd's own client
   *[other] local: containerd's own client, because of { $because }
}
node-pull-path-transfer = transfer: the transfer service
node-pull-path-image-store = image-store: containerd's store within Docker Engine
node-pull-path-graphdriver = graphdriver: Docker Engine's own store
node-process = { $pid }, started { $started }
node-proxy-none-set = no proxy is set
node-cri-answers = answers
node-cri-no-cri = answers, and has no CRI service
node-cri-silent = no answer
node-cri-refused = could not be asked
node-images = { $count ->
    [1] 1 image
   *[other] { $count } images
}
node-clock-kept = synchronised
node-clock-free = not synchronised
node-clock-bound = synchronised, at most { $ms } ms off by the service's own word
node-records = { $pulled ->
    [one] one pulled image
   *[other] { $pulled } pulled images
    }, { $pulling } being pulled
node-record-for-all = { $image }: every pod of this node may use it
node-record-for = { $image }: came with { $who }; pods with other credentials must pull it anew
node-store = { $path }: { $free } of { $all } GiB free
node-asked-for = For { $image }, looked up as { $registry }; hosts directory: { $dir }
node-image-present = The kubelet sees this image on the node
node-image-absent = The kubelet does not see this image on the node
node-endpoint-repository = asked for as { $name }
node-endpoint-may = may { $list }
node-endpoint-system-roots = verified with the system's certificates
node-endpoint-ca = verified with the system's certificates and { $files }
node-endpoint-unverified = not verified: whoever sits in between can answer
node-endpoint-plain = without TLS: whoever sits in between can answer
node-endpoint-fallback = HTTPS first, then plain HTTP
node-endpoint-client = client certificate { $cert }, key { $key }
node-endpoint-proxy = through the proxy { $proxy } ({ $because })
node-endpoint-direct = direct ({ $because })
node-endpoint-credential = credential of the node: user { $user }, key { $key }, from { $from }
node-defect = known upstream: { $reference }
node-pull-announced = { $user ->
    [none] Asking the runtime at { $socket } to pull { $image } without credentials; what is pulled stays on this node
   *[other] Asking the runtime at { $socket } to pull { $image } as { $user }; what is pulled stays on this node
    }
node-pull-pulled = { $user ->
    [none] The runtime pulled it without credentials in { $seconds } s: { $image }
   *[other] The runtime pulled it as { $user } in { $seconds } s: { $image }
    }
node-pull-failed = { $user ->
    [none] The runtime, asked without credentials, answers after { $seconds } s:
   *[other] The runtime, asked as { $user }, answers after { $seconds } s:
    }
node-pull-no-answer = The runtime has not answered within { $seconds } s; its pull ended with the question
node-pull-not-asked = The runtime could not be asked:
client-same = { $name } ({ $path }) would do the same
client-differs = { $name } ({ $path }) would do it differently:
client-difference = { $what }: { $client }; the runtime: { $runtime }
client-what-endpoints = asks
client-what-trust = trusts
client-what-proxy = goes
client-what-credentials = logs in
client-what-store = keeps images
client-urls = { $value }
client-system = the system's certificates
client-system-and = the system's certificates and { $value }
client-unverified = any certificate
client-proxy = through { $value }
client-direct = directly
client-unknown = not known
client-kubelet = with what the kubelet passes on: pull secrets, the node's own files and plugins
client-given = only with what { $value } gives
client-logins = with the logins in { $value }
client-namespace = in containerd's namespace { $value }
client-docker-store = in Docker Engine's store
client-containers-store = in containers-storage
client-no-store = nowhere

## Findings

lint-instead = Meant is probably { $instead }
lint-daemon-fails = The daemon does not start: { $error }
lint-cri-not-loaded = The CRI image service does not load, and the kubelet has no runtime: { $error }
lint-file-dropped = The whole file is dropped, and only the log says so: { $reason }
lint-path-list-as-one-directory = The pull path in use takes this list for one directory, finds nothing, and uses no hosts.toml: { $value }
lint-section-not-read = This version, with this file version, does not read the section { $section }
lint-section-replaced = This section replaces the whole of an earlier one; what stands at { $lost } is lost
lint-key-not-read = Nothing reads { $key } here
lint-lost-in-migration = { $key } is lost when the file is migrated, since its table has no runtimes
lint-transfer-config-path = Nobody reads config_path of the transfer plugin
lint-tls-table-not-read = containerd 2 does not read this table: the TLS settings for { $host } are not in force
lint-directory-never-matches-scheme = No image leads to the directory "{ $name }": its name may hold no scheme
lint-directory-never-matches-hub = Docker Hub's images are not looked up under { $name }
lint-directory-never-matches-no-host = No image leads to the directory "{ $name }": a registry's name has a dot or a port, or is localhost
lint-directory-never-matches-form = No image leads to the directory "{ $name }": it is not written as a registry's name is
lint-directory-shadowed = { $dir } is never taken: { $by } comes before it
lint-hosts-file-misplaced = No file is read here: it must be hosts.toml in a directory named like the registry
lint-certificate-not-used = hosts.toml beside it does not name { $file }, so it is not used
lint-unknown-key = This file has no key { $key }: it is passed over
lint-key-in-host-table = { $key } stands below a host's table, and belongs to that; write it above the first table
lint-path-doubled = The path of { $url } gets a second /v2 at its end; override_path = true takes it as it is
lint-address-unusable = { $url } is no usable address: write https:// in small letters before the host
lint-server-without-api = { $url } does not serve the registry API
lint-ca-not-for-server = { $host } is asked again at the end without this CA: options of a host table are not the server's
lint-ca-missing = The CA file { $file } is not there: every pull that comes here fails before its first request
lint-ca-not-pem = { $file } holds no certificate in PEM: every pull that comes here fails before its first request
lint-ca-not-pem-skipped = { $file } holds no certificate in PEM: it is passed over without a word
lint-policy-missing = Without policy.json every pull is refused
lint-ca-leaf-only = { $file } holds only a server's certificate ({ $subject }): it is trusted for itself until it is renewed
lint-ca-intermediate-only = { $file } holds an intermediate and no root ({ $subject }): enough for Go, not for OpenSSL
lint-client-unusable = The client certificate cannot be loaded: { $error }
lint-skip-verify = The certificate of { $host } is not verified: whoever sits in between can answer
lint-plain-http = { $host } is asked without TLS: whoever sits in between can answer
lint-login-never-sent = No endpoint is looked up as { $host }, so this login is never sent: it takes host and port alone
lint-login-unusable = This login for { $host } is not sent: it has no password, or its auth is no base64 of user:password
lint-made-at-start = What the agent makes of this file is not here: shown is what its next start makes
lint-files-disagree = { $what }: { $other } says otherwise; what stands here counts
lint-syntax = The file cannot be read: { $error }
lint-newer-than-process = Changed at { $changed }, after the process that reads it only at its start was started ({ $started }): not in force before a restart
lint-environment-not-in-force = { $name } is set here, and the running process does not have it so: daemon-reload and a restart are due
lint-plugin-missing = The program of a credential plugin is missing: { $file }. The kubelet does not start without it
lint-running-config-differs = The running process has another config_path: "{ $value }"
lint-running-without-cri = The running daemon has no CRI service: its plugin did not load at its start
lint-program-replaced = The program on disk was replaced since the process started
lint-image-invisible = The image is in containerd's namespace { $namespaces }, where the kubelet does not see it
lint-store-full = { $what ->
    [inodes] Of the image store's inodes, { $free } are free
   *[other] Of the image store's room, { $free } is free
}

## Nodes beside each other

compare-same = { $count } nodes do not differ in anything that matters to a pull
compare-differs = { $count } nodes differ
compare-several-images = The reports are about several images: endpoints are not compared
compare-more = and { $count } more
compare-runtime = runtime
compare-state = state of its files
compare-pull-path = pull path
compare-config-path = config_path
compare-mirrors = mirrors
compare-host-dir = hosts directory
compare-endpoints = endpoints
compare-capabilities = capabilities
compare-trust = certificates trusted
compare-client = client certificates
compare-proxy = proxy
compare-credentials = credentials of the node
compare-image = image
compare-errors = errors
compare-findings = findings
compare-name-servers = name servers
compare-search = search domains
compare-hosts-file = hosts file
compare-routes = default route
compare-clock = clock
compare-headers = headers
compare-pull = pull by the runtime
compare-system-roots = system certificates
compare-resolver-options = resolver options
compare-lookup-order = order of name lookup
compare-route = way to { $about }
compare-dns-answers = addresses of { $about }
compare-certificate = certificate of { $about }
compare-clock-offset = clock, beside that of { $about }
compare-end = where the way to { $about } ended
