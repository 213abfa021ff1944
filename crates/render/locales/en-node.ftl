# What a node's configuration and the answers on the way to a registry show. ko-node.ftl has the same keys and variables.

## Questions

ask-config-fault = Does the node's configuration have this fault for the image?
ask-config-decides = Does what was collected leave no other reading?

## Evidence

evidence-asked-by-hand = Asked by hand: { $url } answered { $answer }
evidence-answers-with-this-ca = With this certificate the registry answers
evidence-capability-lacking = { $host } may only be asked to { $has }; the request needs { $lacks }
evidence-catch-all-without-way-back = The catch-all sends everything to { $host }, and { $registry } is not asked after it
evidence-config-dumped = The configuration in force, as the runtime prints it
evidence-config-path-elsewhere = Host directories are looked for in { $value }
evidence-config-read = This is what the runtime reads: { $file }
evidence-config-refused = The runtime refuses it: { $error }
evidence-directory-name-not-looked-for = { $dir } is not a name that is looked for with { $registry }
evidence-endpoint-address = The pull was sent to { $url }
evidence-endpoint-met = What the runtime met at { $host }
evidence-file-changed = When { $file } was last changed
evidence-file-dropped = The runtime drops the whole file: { $reason }
evidence-setting-read-nowhere = This line stands where the runtime reads none, and counts for no host
evidence-file-name-not-read = No file of this name is read: { $file }
evidence-server-in-host-table = This line stands below a host table, where it is not read: { $url } is never asked
evidence-file-named-on-command-line = The process was started with a file of its own
evidence-file-not-imported = This file sets it, and no file that is read imports it: { $file }
evidence-file-not-read = { $file } is not read; { $read } is
evidence-file-refused = The file is refused: { $reason }
evidence-file-would-help = This file would help, and is not read: { $file }
evidence-image-under-other-path = The mirror is asked for { $asked }, and has the image at { $there }
evidence-key-for-other-registry = The entry is for { $key }, the image's registry is { $registry }
evidence-settings-of-upstream = These settings are for { $key }; they are looked up by the host that is asked: { $host }
evidence-key-not-read = Nothing reads this key: { $key }
evidence-lacks-it = { $file } of this node does not have it
evidence-list-as-one-directory = The pull path in use takes this list for one directory: { $value }
evidence-no-config-path = No directory is set in { $file }
evidence-no-key-for-peers = { $registry } is no key below mirrors, so the nodes do not give each other its images
evidence-not-among-saved = { $file } is not among the files that were saved of this node, and { $beside } is
evidence-not-there = { $file } is not there
evidence-other-directory-taken = Another directory is taken before it: { $dir }
evidence-other-machine-has = { $machine } has { $file }
evidence-path-doubled = The request goes to { $url }: /v2 stands in it twice
evidence-path-not-api = The request goes to { $url }, outside the registry's API
evidence-peers-give-images = The nodes give each other images: their embedded registry is on
evidence-process-started = When the runtime was started
evidence-running-config = The running process reports this directory: "{ $value }"
evidence-taken-for-client-certificate = The client takes { $file } for a client certificate, whose key it misses
evidence-runtime-refuses-config = The runtime's log says that it refuses its configuration
evidence-runtime-dropped-file = The runtime's log says so too
evidence-section-not-read = The section { $section } is not read with these file versions: { $versions }
evidence-section-replaced = This section replaces the whole of the earlier one
evidence-several-endpoints = Several endpoints were asked ({ $hosts }), and only the error of { $shown } is shown
evidence-tls-table-not-read = TLS settings in this table are no longer read: { $host }

## Remedies

remedy-capability = Give the endpoint the capability { $capability } in { $file }
remedy-copy-file = Copy { $file } from { $machine }
remedy-endpoint-address = Mend the address { $url }
remedy-key = Name the entry { $to } instead of { $from }
remedy-mend-file = Mend { $file }
remedy-mend-source-of-generated = Mend what { $file } is generated from
remedy-mirror-path = Mend the path at which { $host } is asked
remedy-mirrors-or-path = Keep one of the two in { $file }: mirrors, or config_path
remedy-move-directory = Put { $from } where it is looked for: { $to }
remedy-move-file = Put { $from } where it is read: { $to }
remedy-move-section = Move the settings from { $from } to { $to }
remedy-registries-yaml = Mend the keys of { $file }
remedy-rename-directory = Rename { $from } to { $to }
remedy-restart-runtime = Restart { $service }, so that it reads what is there
remedy-set-config-path = Set config_path to one directory in { $file }: { $dir }
remedy-way-back = Leave a way to { $registry } itself
remedy-write-hosts-toml = Write the settings to { $file }

## Steps, scope and risk

step-capabilities = In line { $line }: capabilities = ["pull", "resolve"]
step-endpoint-address = Correct scheme, host and port in line { $line }.
step-kept-until-start = { $name } writes { $path } anew at each start: for good, make the change here: { $change }
step-kept-until-replaced = A node of { $name } that is replaced or upgraded comes without a change below { $path }: for good, make it here: { $change }
step-kept-put-back = { $name } writes { $path } and puts a change back, or calls the node degraded: make it here: { $change }
step-kept-read-only = On { $name }, nothing below { $path } can be changed on the node: make the change here: { $change }
step-key = In line { $line }, write the key as "{ $key }", port included.
step-mend-registries-yaml = Correct registries.yaml: give the host a mirrors entry of its own, and list each endpoint once.
step-mirror-path = In line { $line }, give the endpoint of { $host } the path under which its API serves this repository (/v2/PROJECT), or use a rewrite rule.
step-move-mirrors-to-hosts-toml = Move the mirrors to hosts.toml files, and take their tables (line { $line }) out.
step-override-path = Below line { $line }, add: override_path = true
step-section-and-version = Write version = { $version } at the top, and the registry settings below [plugins."{ $section }".registry].
step-way-back = Add the registry itself behind the mirror for { $registry }: { $url }
risk-runtime-restart = the runtime restarts; running containers go on
evidence-mirror-for-digests-only = The mirror { $mirror } is asked for digests only, and { $image } is named by tag
remedy-mirror-for-tags = Name the image by digest, or let the mirror serve tags ({ $file })
step-name-by-digest = Name { $image } by its digest in the workload.
step-mirror-for-tags = Or let the mirror serve tags (line { $line }): on OpenShift an ImageTagMirrorSet, else mirror-by-digest-only = false.
evidence-roots-verify-now = The roots on the node as they are now verify { $host }
