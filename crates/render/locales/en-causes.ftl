# The causes: for each a verdict in one line (-title), what it means (-meaning), and what removes it (-fix).
# A verdict may name $image, $registry, $host and $node; what is not known is said in general (some-*), and a
# colon with nothing known behind it is left out.

## reference

cause-reference-invalid-title = The image reference does not parse, so nothing was asked: {$image}
cause-reference-invalid-meaning = The image reference is not in a form that clients accept; no request was made.
cause-reference-invalid-fix = Correct the image field of the pod or of the workload that makes it: lower case, no scheme, no blanks, a tag of at most 128 characters.
cause-reference-short-name-title = The short name {$image} is refused, or resolved to another registry than meant
cause-reference-short-name-meaning = An image name without a registry is refused by the runtime, or resolved to a registry that was not meant.
cause-reference-short-name-fix = Write the registry into the image name, or set the runtime's unqualified search registries and short-name aliases.
cause-reference-missing-registry-host-title = No registry stands in {$image}, so Docker Hub was asked
cause-reference-missing-registry-host-meaning = The image name has no registry, and without one the client asks Docker Hub.
cause-reference-missing-registry-host-fix = Put the registry's host (and port) in front of the image name.

## policy

cause-policy-never-pull-title = imagePullPolicy is Never, and the image is not on the node
cause-policy-never-pull-meaning = The pod forbids pulling, and the node does not have the image.
cause-policy-never-pull-fix = Set imagePullPolicy to IfNotPresent, or load the image onto every node that may run the pod.
cause-policy-signature-title = A signature policy of the runtime refuses {$image}
cause-policy-signature-meaning = The runtime's trust policy demands a signature that the image does not have, or whose key it does not accept.
cause-policy-signature-fix = Sign the image with the key that the policy names, or correct the policy (policy.json, registries.d) for this registry.
cause-policy-credentials-not-verified-title = The image is on the node, but this pod has shown no credentials that may use it
cause-policy-credentials-not-verified-meaning = The kubelet verifies pull credentials for images that are already on the node, and this pod has none that were accepted.
cause-policy-credentials-not-verified-fix = Attach the pull secret that the registry accepts for this image, or set the kubelet's imagePullCredentialsVerificationPolicy as the cluster needs it.

## kubelet

cause-kubelet-pull-qps-title = The kubelet's own pull rate limit was exceeded on {$node}
cause-kubelet-pull-qps-meaning = The kubelet limits how many pulls it starts per second; these pulls never reached a registry.
cause-kubelet-pull-qps-fix = Raise registryPullQPS and registryBurst in the kubelet's configuration, or start fewer pods on the node at once.

## sandbox

cause-sandbox-image-title = The sandbox (pause) image cannot be had: {$image}
cause-sandbox-image-meaning = Every pod needs the pause image first, and the runtime cannot pull it.
cause-sandbox-image-fix = Make the runtime's sandbox image one that the node can pull, or load it onto the node and pin it against garbage collection.
cause-sandbox-cni-title = The pod's network could not be set up on {$node}; no pull was reached
cause-sandbox-cni-meaning = The network plugin failed before any image was asked for: this is no pull failure.
cause-sandbox-cni-fix = Mend the network plugin on the node (its binaries, its configuration, its agent); the images are not involved.

## credentials

cause-credentials-secret-missing-title = A pull secret that the pod or its service account names does not exist
cause-credentials-secret-missing-meaning = The pod or its service account names a pull secret that is not in its namespace; the kubelet goes on without it.
cause-credentials-secret-missing-fix = Create the secret under that name in the pod's namespace, or correct the name where it is referred to.
cause-credentials-wrong-namespace-title = The pull secret exists, but in another namespace than the pod
cause-credentials-wrong-namespace-meaning = Pull secrets are looked up in the pod's own namespace only; one elsewhere is never used.
cause-credentials-wrong-namespace-fix = Create the secret in the pod's namespace as well; let a controller copy it if there are many namespaces.
cause-credentials-wrong-type-title = The pull secret has a type that the kubelet does not take for one
cause-credentials-wrong-type-meaning = Only secrets of type kubernetes.io/dockerconfigjson or kubernetes.io/dockercfg are read as pull secrets.
cause-credentials-wrong-type-fix = Create the secret anew with type kubernetes.io/dockerconfigjson; the type of an existing secret cannot be changed.
cause-credentials-wrong-key-title = The pull secret has the right type, but its data stands under the wrong key
cause-credentials-wrong-key-meaning = A secret of this type is read under one data key only (.dockerconfigjson or .dockercfg).
cause-credentials-wrong-key-fix = Create the secret with the data key .dockerconfigjson.
cause-credentials-malformed-title = The pull secret's content does not decode
cause-credentials-malformed-meaning = The secret holds something else than valid base64, JSON or user:password, so it cannot be used.
cause-credentials-malformed-fix = Create the secret with `kubectl create secret docker-registry`, which writes the right form.
cause-credentials-host-mismatch-title = No entry of the pull secret is for {$registry}
cause-credentials-host-mismatch-meaning = The keys in the pull secret name another host, port, scheme or path than the image does, so none is used.
cause-credentials-host-mismatch-fix = Create the secret with the registry exactly as the image names it, with the port and without a scheme or path that does not match.
cause-credentials-username-mangled-title = User name or password was changed on its way into the secret
cause-credentials-username-mangled-meaning = A shell or a template altered the value (a `$` expanded, a backslash added, a line break kept), so the registry gets something else.
cause-credentials-username-mangled-fix = Quote the values with single quotes or read them from a file, and create the secret anew.
cause-credentials-not-attached-title = A fitting pull secret exists, and neither the pod nor its service account names it
cause-credentials-not-attached-meaning = The secret would work, but nothing tells the kubelet to use it for this pod.
cause-credentials-not-attached-fix = Add the secret to imagePullSecrets of the service account or of the pod template, then make new pods.
cause-credentials-overridden-by-pod-title = The pod's own imagePullSecrets hide those of its service account
cause-credentials-overridden-by-pod-meaning = A service account's pull secrets are added only to pods that name none themselves.
cause-credentials-overridden-by-pod-fix = Name every secret that is needed in the pod template, or none, so that the service account's apply.
cause-credentials-pod-predates-secret-title = The pod is older than the change to its service account or secret
cause-credentials-pod-predates-secret-meaning = A service account's pull secrets are written into a pod when it is made; a later change does not reach it.
cause-credentials-pod-predates-secret-fix = Make new pods (`kubectl rollout restart`); nothing else is needed.
cause-credentials-expired-title = The credentials for {$registry} were right once and have expired
cause-credentials-expired-meaning = The token or account in the pull secret has a limited life, and it is over.
cause-credentials-expired-fix = Renew the credentials, and let something renew them before they expire: a credential provider, a controller, or a robot account without expiry.
cause-credentials-reverted-by-controller-title = A controller puts the secret or service account back after each change
cause-credentials-reverted-by-controller-meaning = The object belongs to a controller whose reconcile restores its own version; manual changes do not last.
cause-credentials-reverted-by-controller-fix = Change the source that the controller renders from, or hand over the field to another owner; do not edit the object itself.
cause-credentials-pruned-by-gitops-title = A GitOps tool prunes the pull secret
cause-credentials-pruned-by-gitops-meaning = The secret carries the labels or annotations of a GitOps application that does not contain it, so each sync deletes it.
cause-credentials-pruned-by-gitops-fix = Add the secret to the application's source, or remove the tool's tracking labels and annotations from it.
cause-credentials-garbage-collected-title = Garbage collection deletes the pull secret because of an owner reference in it
cause-credentials-garbage-collected-meaning = The secret was copied together with ownerReferences to an object that is not in this namespace, so Kubernetes removes it.
cause-credentials-garbage-collected-fix = Copy the secret without metadata.ownerReferences (and without uid and resourceVersion).
cause-credentials-provider-failed-title = A kubelet credential provider failed or timed out on {$node}
cause-credentials-provider-failed-meaning = The plugin that should fetch credentials for this registry gave none, so the pull goes on without.
cause-credentials-provider-failed-fix = Read the kubelet's log for the plugin's error; check its binary, its role and its way to the cloud's API.
cause-credentials-provider-misconfigured-title = The kubelet's credential provider does not cover this image
cause-credentials-provider-misconfigured-meaning = matchImages, the API version, the binary or the node's role keep the provider from answering for this registry.
cause-credentials-provider-misconfigured-fix = Correct the kubelet's CredentialProviderConfig (matchImages with port where there is one) or the node's role, and restart the kubelet.
cause-credentials-not-used-for-mirror-title = Credentials exist, but are not sent to the mirror that is asked: {$host}
cause-credentials-not-used-for-mirror-meaning = Credentials belong to the registry that the image names; the mirror in front of it gets others, or none.
cause-credentials-not-used-for-mirror-fix = Give the mirror credentials of its own where this runtime reads them, or let it serve without.

## dns

cause-dns-not-found-title = The name {$host} does not exist for the resolver that was asked
cause-dns-not-found-meaning = The resolver says that there is no such name, or no address under it.
cause-dns-not-found-fix = Check the spelling of the host, then the name server that the node asks; the node's DNS is not the cluster's.
cause-dns-server-failure-title = The resolver failed or refused to look up {$host}
cause-dns-server-failure-meaning = The name server could not be asked, refused, or answered with an error of its own (SERVFAIL), so the name may well exist.
cause-dns-server-failure-fix = Check the name server and its forwarders for this zone; ask another server to compare.
cause-dns-timeout-title = The resolver did not answer the question for {$host}
cause-dns-timeout-meaning = No answer came from the name server within the time limit.
cause-dns-timeout-fix = Check that the node reaches its name servers on port 53, UDP and TCP.
cause-dns-node-resolver-broken-title = The resolver of {$node} fails where others work
cause-dns-node-resolver-broken-meaning = This node's own name resolution fails, while pods or other nodes resolve the same name.
cause-dns-node-resolver-broken-fix = Compare /etc/resolv.conf and the local resolver (systemd-resolved, dnsmasq) with a node that works, and mend this one.
cause-dns-inconsistent-resolvers-title = The resolvers of {$node} disagree, and which one answers is chance
cause-dns-inconsistent-resolvers-meaning = Some of the node's name servers know the name and others do not; a pull fails whenever the wrong one is asked.
cause-dns-inconsistent-resolvers-fix = List only name servers that all know the internal zone, or put a forwarder in front that does.
cause-dns-cluster-name-on-node-title = The name {$host} is known to the cluster's DNS only, which nodes do not ask
cause-dns-cluster-name-on-node-meaning = Images are pulled by the node, and the node does not resolve names of services.
cause-dns-cluster-name-on-node-fix = Name the registry by a host that the node can resolve: an ingress, a load balancer, a node port with a real name, or an entry on the node.
cause-dns-wrong-address-title = The name {$host} resolves to an address that is not the registry
cause-dns-wrong-address-meaning = Name resolution works and gives a wrong address: an old record, a hosts entry, another view of the zone.
cause-dns-wrong-address-fix = Correct the record or the hosts entry that gives the wrong address, and wait for caches to expire.

## net

cause-net-refused-title = Nothing listens where {$host} was asked: connection refused
cause-net-refused-meaning = The address answered and refused the connection: no program listens at the port, or a firewall rejects it.
cause-net-refused-fix = Check that the registry (or what stands before it) runs and listens on this port, and that the port is the right one.
cause-net-timeout-title = No answer from {$host} within the time limit
cause-net-timeout-meaning = Packets to or from the address are lost: a firewall that drops, a missing route, or a host that is down.
cause-net-timeout-fix = Test the way from the node to the host and port; ask for the firewall to be opened for exactly that.
cause-net-unreachable-title = There is no route to {$host}
cause-net-unreachable-meaning = The node or a router on the way says that the address cannot be reached.
cause-net-unreachable-fix = Check the node's routes and, for IPv6 addresses, whether the node has IPv6 at all.
cause-net-reset-title = The connection to {$host} was reset
cause-net-reset-meaning = The other side, or a device on the way, ended the connection abruptly.
cause-net-reset-fix = Find out who sends the reset: the registry's front end, a firewall that inspects, or a limit of connections.
cause-net-eof-title = The connection to {$host} was closed before an answer
cause-net-eof-meaning = The connection was accepted and ended without an answer.
cause-net-eof-fix = Look into the log of what listens there: a front end without a back end, a wrong protocol, or a process that crashes.
cause-net-hairpin-title = A service address that leads back to {$node} cannot be reached from there
cause-net-hairpin-meaning = The node's traffic to the load balancer or service comes back to the node and is dropped on the way.
cause-net-hairpin-fix = Give the nodes another way to the registry (an address that is not their own), or allow hairpin traffic on the load balancer.
cause-net-localhost-nodeport-title = The node port {$host} on localhost is not served in the node's proxy mode
cause-net-localhost-nodeport-meaning = Node ports answer on 127.0.0.1 only in some modes of kube-proxy; in the others nothing listens there.
cause-net-localhost-nodeport-fix = Address the registry by the node's own address or by a name, or run a local proxy on the node.
cause-net-mtu-blackhole-title = Large packets are lost between {$node} and {$host}
cause-net-mtu-blackhole-meaning = Small packets pass and large ones vanish, so the handshake or the download stalls: a step on the way has a smaller MTU and says nothing.
cause-net-mtu-blackhole-fix = Lower the MTU of the node's interface to what the path carries, or clamp the TCP segment size on the way; let ICMP "too big" pass.

## proxy

cause-proxy-unreachable-title = The proxy on the way to {$host} cannot be reached
cause-proxy-unreachable-meaning = The runtime is told to use a proxy, and that proxy does not answer; the registry itself was never asked.
cause-proxy-unreachable-fix = Correct the proxy's address in the runtime's environment, or mend the way to it; exclude the registry with NO_PROXY if it is internal.
cause-proxy-auth-required-title = The proxy asks for credentials (407)
cause-proxy-auth-required-meaning = The proxy on the way wants a login before it connects anywhere; the registry itself was never asked.
cause-proxy-auth-required-fix = Have the nodes exempted from authentication for these hosts, or put credentials into the runtime's proxy setting.
cause-proxy-rejected-title = The proxy refuses to connect to {$host}
cause-proxy-rejected-meaning = The proxy answers and forbids this destination by its rules.
cause-proxy-rejected-fix = Ask for the registry's hosts (token service and blob store included) to be allowed on the proxy, or bypass it with NO_PROXY.
cause-proxy-misconfigured-title = The proxy setting itself is wrong
cause-proxy-misconfigured-meaning = The proxy's URL has a wrong scheme or does not parse, so no request can be made through it.
cause-proxy-misconfigured-fix = Correct HTTPS_PROXY and HTTP_PROXY in the runtime's unit (usually http://host:port), then restart the runtime.
cause-proxy-upstream-failed-title = The proxy took the request and could not reach {$host}
cause-proxy-upstream-failed-meaning = The proxy works, but the connection from it to the registry fails (502, 503, 504 from the proxy).
cause-proxy-upstream-failed-fix = Check the proxy's own name resolution and its way to the registry; bypass it with NO_PROXY if the registry is internal.
cause-proxy-no-proxy-missing-title = NO_PROXY does not cover {$registry}, which is internal
cause-proxy-no-proxy-missing-meaning = Requests to an internal registry go to the proxy, which does not know it or may not reach it.
cause-proxy-no-proxy-missing-fix = Add the registry's host, domain or address range to NO_PROXY in the runtime's environment, then restart the runtime.
cause-proxy-not-in-unit-title = A proxy is needed, and the runtime on {$node} has none in its environment
cause-proxy-not-in-unit-meaning = The proxy is set somewhere else (a shell, the kubelet, a drop-in that was lost), and the runtime goes out directly.
cause-proxy-not-in-unit-fix = Set HTTPS_PROXY, HTTP_PROXY and NO_PROXY in a drop-in of the runtime's own unit, reload systemd and restart the runtime.
cause-proxy-strips-authorization-title = A device before {$host} drops or replaces the Authorization header
cause-proxy-strips-authorization-meaning = The client sends credentials and the registry never sees them: a proxy or front end on the way takes them out.
cause-proxy-strips-authorization-fix = Pass the Authorization header on in the proxy or front end, or exempt the registry from it.

## tls

cause-tls-unknown-authority-title = The certificate of {$host} is signed by an authority that the client does not trust
cause-tls-unknown-authority-meaning = The client does not have the CA that issued the certificate (or does not read the file that holds it).
cause-tls-unknown-authority-fix = Give the issuing CA to the runtime for this host (hosts.toml, certs.d) or to the node's trust store; never switch verification off.
cause-tls-self-signed-title = The certificate of {$host} is signed by itself and not trusted
cause-tls-self-signed-meaning = The server's certificate has no issuer but itself, and the client was not told to trust it.
cause-tls-self-signed-fix = Give the registry a certificate from your CA; until then, hand this very certificate to the runtime as the CA for this host.
cause-tls-incomplete-chain-title = The server does not send an intermediate certificate that clients need: {$host}
cause-tls-incomplete-chain-meaning = The chain from the server ends before an issuer that the client knows; browsers fetch the missing part, runtimes do not.
cause-tls-incomplete-chain-fix = Install the full chain on the server: its certificate followed by every intermediate.
cause-tls-expired-title = The certificate of {$host} has expired by the client's clock
cause-tls-expired-meaning = The certificate's last day is over, as the client's clock has it.
cause-tls-expired-fix = Renew the certificate and reload the server; check the node's clock too if other nodes still accept it.
cause-tls-not-yet-valid-title = The certificate of {$host} is not valid yet by the client's clock
cause-tls-not-yet-valid-meaning = The certificate's first day lies in the future, as the client's clock has it.
cause-tls-not-yet-valid-fix = Check the node's clock first; then the certificate's dates.
cause-tls-hostname-mismatch-title = The certificate is for other names than {$host}
cause-tls-hostname-mismatch-meaning = The server proves another name or address than the one that was asked for.
cause-tls-hostname-mismatch-fix = Issue a certificate with this name in its subject alternative names, or address the registry by a name that is in it.
cause-tls-no-san-title = The certificate of {$host} has no usable subject alternative name
cause-tls-no-san-meaning = Clients no longer read the common name: names and addresses must stand in the certificate's subject alternative names.
cause-tls-no-san-fix = Issue the certificate anew with the host (or the IP address, as an IP entry) in its subject alternative names.
cause-tls-insecure-algorithm-title = The certificate of {$host} is signed or keyed in a way that clients refuse
cause-tls-insecure-algorithm-meaning = The signature or key is of a kind that is not accepted any more (SHA-1, MD5, a short RSA key).
cause-tls-insecure-algorithm-fix = Issue the certificate, and its intermediates, anew with SHA-256 and a current key.
cause-tls-client-cert-required-title = A client certificate is demanded, and none was given or accepted: {$host}
cause-tls-client-cert-required-meaning = The server lets only clients in that prove themselves by a certificate.
cause-tls-client-cert-required-fix = Configure client certificate and key for this host in the runtime (hosts.toml `client`, certs.d .cert and .key).
cause-tls-wrong-usage-title = The certificate of {$host} is not made for a server
cause-tls-wrong-usage-meaning = Its key usage does not allow what it is used for.
cause-tls-wrong-usage-fix = Issue the certificate anew with the extended key usage "server authentication".
cause-tls-handshake-title = The TLS handshake with {$host} failed
cause-tls-handshake-meaning = The two sides did not agree, and one ended the handshake with an alert.
cause-tls-handshake-fix = Compare what the server offers (versions, ciphers, certificate) with what the client supports; the alert names the reason.
cause-tls-handshake-timeout-title = The TLS handshake with {$host} did not finish
cause-tls-handshake-timeout-meaning = The connection stands, and the server's part of the handshake does not arrive in time.
cause-tls-handshake-timeout-fix = Look for a device that swallows large packets (MTU) or inspects TLS, and for a server that is overloaded.
cause-tls-protocol-version-title = No TLS version is common to the client and {$host}
cause-tls-protocol-version-meaning = One side speaks only versions that the other has switched off.
cause-tls-protocol-version-fix = Enable TLS 1.2 or 1.3 on the server or on the device before it.
cause-tls-http-response-to-https-title = The port of {$host} speaks plain HTTP, and the client speaks TLS
cause-tls-http-response-to-https-meaning = The client expects HTTPS and got an answer in plain HTTP.
cause-tls-http-response-to-https-fix = Serve TLS on the registry; or declare this host as plain HTTP in the runtime, if that is really meant.
cause-tls-not-tls-title = The port of {$host} speaks neither TLS nor HTTP
cause-tls-not-tls-meaning = Something answers there, in another protocol.
cause-tls-not-tls-fix = Check the port, and what listens at it.
cause-tls-https-required-title = The port of {$host} speaks TLS, and the client speaks plain HTTP
cause-tls-https-required-meaning = The client was told to use HTTP for a registry that serves HTTPS only.
cause-tls-https-required-fix = Remove the plain HTTP setting for this host (http:// in hosts.toml, insecure registries), or correct the port.
cause-tls-ca-file-unreadable-title = A certificate file that is configured cannot be read on {$node}
cause-tls-ca-file-unreadable-meaning = A CA, certificate or key file that the runtime's configuration names is missing, unreadable, or holds no certificate.
cause-tls-ca-file-unreadable-fix = Put the file in PEM form at exactly that path, readable for the runtime.
cause-tls-interception-title = A device on the way presents its own certificate for {$host}
cause-tls-interception-meaning = The certificate that arrives is not the registry's: a proxy or firewall opens the TLS connection.
cause-tls-interception-fix = Exempt the registry's hosts (token service and blob store included) from TLS inspection, or give the device's CA to the runtime.

## clock

cause-clock-node-title = The clock of {$node} is wrong
cause-clock-node-meaning = Certificates and signed requests are judged by the node's clock, and it is off.
cause-clock-node-fix = Set the clock and mend its time service (chrony, systemd-timesyncd, NTP servers); then try again.

## config

cause-config-path-list-unsupported-title = config_path is a list of directories, which the pull path in use takes for one
cause-config-path-list-unsupported-meaning = The list is taken for the name of a single directory, which does not exist: no hosts.toml is read at all.
cause-config-path-list-unsupported-fix = Set config_path to the one directory that is meant (usually /etc/containerd/certs.d) and restart containerd.
cause-config-wrong-section-title = The setting stands in a section that this version does not read for pulls
cause-config-wrong-section-meaning = The plugin's name differs between the versions of containerd; a setting under another one's name has no effect.
cause-config-wrong-section-fix = Move the setting to the section that this version reads, then restart containerd.
cause-config-version-mismatch-title = The configuration file's version and its sections do not belong together
cause-config-version-mismatch-meaning = The file declares one version and names its sections as another does, so they are not read as meant.
cause-config-version-mismatch-fix = Make version and section names agree (`containerd config migrate` shows the form), then restart containerd.
cause-config-wrong-file-name-title = A host configuration file has a name that is never read
cause-config-wrong-file-name-meaning = The file is at the right place, and the runtime looks for another name.
cause-config-wrong-file-name-fix = Rename the file to what the runtime reads (hosts.toml; ca.crt, or *.crt, as that runtime has it).
cause-config-wrong-file-location-title = The configuration was put where this runtime does not look
cause-config-wrong-file-location-meaning = The file is sound, but this runtime or distribution reads another path.
cause-config-wrong-file-location-fix = Move the file to the path that this runtime or distribution reads.
cause-config-path-unset-title = No configuration directory is in force, so hosts.toml is never read
cause-config-path-unset-meaning = config_path is not set for the pull path in use: what stands below certs.d has no effect.
cause-config-path-unset-fix = Set config_path to the directory that holds the host configuration and restart containerd.
cause-config-legacy-inline-ignored-title = The setting stands in inline tables that this version no longer reads
cause-config-legacy-inline-ignored-meaning = registry.mirrors and registry.configs were removed or are not read on this pull path.
cause-config-legacy-inline-ignored-fix = Move the settings to hosts.toml files below config_path, then restart containerd.
cause-config-host-dir-mismatch-title = The host directory's name does not match {$registry}
cause-config-host-dir-mismatch-meaning = The directory must be named exactly like the image's registry, with its port; another name is never opened.
cause-config-host-dir-mismatch-fix = Rename the directory to the host and port that the image names.
cause-config-server-wrong-title = The host configuration leads to an address where the registry does not answer: {$host}
cause-config-server-wrong-meaning = The server or host entry has a wrong scheme, host, port or path.
cause-config-server-wrong-fix = Correct `server` and the host entries in hosts.toml to the address at which the registry answers.
cause-config-missing-on-node-title = On {$node}, configuration or a CA is missing that other nodes have
cause-config-missing-on-node-meaning = The same pull works elsewhere; this node lacks the file that makes it work there.
cause-config-missing-on-node-fix = Bring the file to this node, and to the image or script that new nodes are made from.
cause-config-hosts-toml-invalid-title = The hosts.toml for {$registry} does not parse, or means something else than intended
cause-config-hosts-toml-invalid-meaning = The runtime refuses the file or reads it differently from what was meant.
cause-config-hosts-toml-invalid-fix = Correct the file at the place that is shown; no restart is needed, it is read at each pull.
cause-config-not-reloaded-title = The file was changed after the process that reads it at its start had started
cause-config-not-reloaded-meaning = The configuration on disk is newer than the running process, which still uses the old one.
cause-config-not-reloaded-fix = Restart the process that reads the file; one node first.
cause-config-mirrors-and-config-path-title = Inline mirrors or configs and config_path exclude each other
cause-config-mirrors-and-config-path-meaning = The runtime refuses its registry configuration because both kinds are set.
cause-config-mirrors-and-config-path-fix = Keep config_path with hosts.toml files and remove the inline tables, then restart containerd.
cause-config-mirror-key-mismatch-title = The mirror is configured for another registry name than {$registry}
cause-config-mirror-key-mismatch-meaning = The key of a mirror must be the registry that images name; under another one it is never used.
cause-config-mirror-key-mismatch-fix = Rename the mirror's key (or host directory) to the registry that the images name.
cause-config-mirror-path-wrong-title = The mirror's URL leads to another repository: {$host}
cause-config-mirror-path-wrong-meaning = A path or rewrite in the mirror's configuration changes the repository that is asked for.
cause-config-mirror-path-wrong-fix = Correct the path or rewrite rule so that the mirror is asked for the repository that it has.
cause-config-override-path-missing-title = The mirror's API lives under a path, and override_path does not say so: {$host}
cause-config-override-path-missing-meaning = Without override_path the client puts /v2 at another place than the mirror serves it.
cause-config-override-path-missing-fix = Set override_path = true and give the whole path, /v2 included, in the host entry; or remove it where the API is at the root.
cause-config-mirror-by-digest-only-title = The mirror rule serves digests only, and the image is named by tag
cause-config-mirror-by-digest-only-meaning = The rule applies to references by digest; a tag goes past the mirror to the source.
cause-config-mirror-by-digest-only-fix = Name the image by digest, or use a rule for tags (ImageTagMirrorSet).
cause-config-capabilities-title = A host entry lacks the capability that the request needs: {$host}
cause-config-capabilities-meaning = The entry allows only some of pull, resolve and push, so the client skips it for this request.
cause-config-capabilities-fix = Add the missing capability to the host entry: capabilities = ["pull", "resolve"].
cause-config-default-no-fallback-title = A catch-all mirror has no fall-back to the registry itself
cause-config-default-no-fallback-meaning = Every request goes to the mirror, and what it lacks is asked nowhere else.
cause-config-default-no-fallback-fix = Add the registry itself as the last endpoint, or limit the mirror to the registries that it serves.
cause-config-mirror-masks-upstream-title = The error shown comes from one host of several and hides the one that matters
cause-config-mirror-masks-upstream-meaning = Several hosts were tried and one error is reported; the other failed for another reason.
cause-config-mirror-masks-upstream-fix = Look at each host by itself (the runtime's debug log names them all) and mend the one that should have served.
cause-config-registries-yaml-structure-title = registries.yaml has its keys at the wrong place
cause-config-registries-yaml-structure-meaning = k3s or RKE2 reads the file, but a key at the wrong level or under the wrong name has no effect.
cause-config-registries-yaml-structure-fix = Correct the structure (mirrors, configs, their endpoint, auth and tls) and restart the k3s or RKE2 service on this node.

## runtime

cause-runtime-config-invalid-title = The runtime on {$node} refuses its configuration
cause-runtime-config-invalid-meaning = The container runtime, or the part of it that pulls images, did not load because of its configuration.
cause-runtime-config-invalid-fix = Correct the configuration as the runtime's log says, then restart it.

## registry

cause-registry-redirect-loop-title = Redirects from {$host} never reach the API
cause-registry-redirect-loop-meaning = Front end and registry send the client back and forth (between http and https, or between hosts).
cause-registry-redirect-loop-fix = Let the front end pass the original scheme and host (X-Forwarded-Proto, Host), and set the registry's external address.
cause-registry-bad-response-title = The answer of {$host} is not that of a registry's API
cause-registry-bad-response-meaning = What came back is HTML, another type, or broken JSON: something else than the registry answered, or it is ill.
cause-registry-bad-response-fix = Look at the body of the answer: a login page, an error page or a captive portal names who answered.
cause-registry-server-error-title = The registry answered with an internal error: {$host}
cause-registry-server-error-meaning = The registry took the request and failed on its own side (500 or the like).
cause-registry-server-error-fix = Read the registry's log at that time: its storage, its database or its configuration.
cause-registry-unavailable-title = The registry is not available: {$host}
cause-registry-unavailable-meaning = The registry or its front end answers that it cannot serve now (502, 503, 504).
cause-registry-unavailable-fix = Check that the registry's processes run and are ready behind the front end.
cause-registry-unexpected-status-title = An HTTP status came from {$host} that the protocol does not give here
cause-registry-unexpected-status-meaning = The status alone does not say why; something between client and registry may have answered.
cause-registry-unexpected-status-fix = Look at the body and the Server header of the answer to see who gave it.
cause-registry-not-a-registry-title = The host answers, and is no registry: {$host}
cause-registry-not-a-registry-meaning = A web server or another program answers at this address; the registry's API is not there.
cause-registry-not-a-registry-fix = Correct the host or port in the image name; the API may live under another name, port or path.
cause-registry-head-blocked-title = HEAD is refused where GET passes: {$host}
cause-registry-head-blocked-meaning = A filter before the registry forbids the method that clients use first.
cause-registry-head-blocked-fix = Allow HEAD beside GET on the front end or firewall.
cause-registry-mirror-unhealthy-title = The mirror or cache is broken, and its answer ends the pull: {$host}
cause-registry-mirror-unhealthy-meaning = The mirror answers with an error of its own instead of the image, and the client does not go on to the source.
cause-registry-mirror-unhealthy-fix = Mend the mirror, or take it out of the configuration until it works.
cause-registry-upstream-forbidden-title = The proxy cache is refused by its own upstream: {$host}
cause-registry-upstream-forbidden-meaning = The cache's access to the source registry fails, and the cache passes that on in other words.
cause-registry-upstream-forbidden-fix = Renew the credentials, or the allowed addresses, with which the cache asks its upstream.
cause-registry-storage-lost-title = The registry lost its storage, and what was pushed is gone: {$registry}
cause-registry-storage-lost-meaning = The registry runs with empty storage (an emptyDir, a volume that was not mounted), so images that were there are not.
cause-registry-storage-lost-fix = Give the registry persistent storage, then push the images again.
cause-registry-body-limit-title = A front end limits the size of request bodies: {$host}
cause-registry-body-limit-meaning = Uploads above a limit are cut off before they reach the registry (413 or a broken connection).
cause-registry-body-limit-fix = Raise the limit on every front end in the way (nginx: client_max_body_size 0), the outermost included.
cause-registry-token-realm-disabled-title = The registry's token realm or login source is switched off: {$registry}
cause-registry-token-realm-disabled-meaning = The registry does not take the kind of login that clients use (for Nexus: the Docker Bearer Token realm).
cause-registry-token-realm-disabled-fix = Enable the realm or login source in the registry's administration.

## rate

cause-rate-limited-title = A rate limit was reached at {$host}
cause-rate-limited-meaning = The registry answers no more requests from this account or address for a while.
cause-rate-limited-fix = Pull with an account (limits are higher), or through a cache of your own; pulls recover when the window is over.

## auth

cause-auth-unauthorized-title = The registry asks for credentials that it accepts (401): {$registry}
cause-auth-unauthorized-meaning = 401 says that credentials are missing or wrong; many registries say the same of a repository that does not exist.
cause-auth-unauthorized-fix = Check which credentials are sent (secret, key, namespace), and whether the repository exists under exactly this name.
cause-auth-challenge-invalid-title = The challenge of {$host} is missing, malformed, or of a kind that the client does not know
cause-auth-challenge-invalid-meaning = A 401 must say how to log in; this one does not, or in a way that the client cannot follow.
cause-auth-challenge-invalid-fix = Let the front end pass the WWW-Authenticate header on unchanged, and correct the registry's authentication settings.
cause-auth-no-credentials-title = The client had no credentials for {$registry}
cause-auth-no-credentials-meaning = The registry wants a login, and the client found nothing to log in with.
cause-auth-no-credentials-fix = Attach a pull secret with an entry for this registry to the pod or its service account.
cause-auth-bad-credentials-title = The credentials were refused by {$registry}
cause-auth-bad-credentials-meaning = User name or password is wrong, or the account is locked or gone.
cause-auth-bad-credentials-fix = Log in by hand with the same credentials to check them, then create the secret anew; do not repeat refused logins, accounts lock.
cause-auth-token-endpoint-unreachable-title = The token service cannot be reached, though the registry can: {$host}
cause-auth-token-endpoint-unreachable-meaning = The registry sends clients to a token service on another host, and the way there is blocked or the name unknown.
cause-auth-token-endpoint-unreachable-fix = Open the way from the nodes to the token service's host as well (DNS, firewall, proxy, CA).
cause-auth-token-rejected-title = The token was not issued, or the registry does not accept it: {$host}
cause-auth-token-rejected-meaning = The token service answered with an error, or the registry refuses the token that it gave.
cause-auth-token-rejected-fix = Compare issuer, audience, signing key and times of the token with what the registry expects.
cause-auth-insufficient-scope-title = The token does not grant what was asked of {$registry}
cause-auth-insufficient-scope-meaning = The login works, and this account has no right to this repository.
cause-auth-insufficient-scope-fix = Give the account pull rights on the repository, or check the repository's name.
cause-auth-clock-skew-title = The clocks of token service and registry disagree, or a signed request's time is off: {$registry}
cause-auth-clock-skew-meaning = A token is valid only within its window, which the registry judges by its own clock.
cause-auth-clock-skew-fix = Synchronise the clocks of registry and token service (for signed cloud requests: the node's).
cause-auth-realm-misconfigured-title = The registry sends clients to a wrong address for tokens: {$registry}
cause-auth-realm-misconfigured-meaning = The realm in the registry's challenge has the wrong scheme, host or port, so no client can fetch a token.
cause-auth-realm-misconfigured-fix = Correct the registry's external address (realm, external URL), and let the front end pass scheme and host on.
cause-auth-oidc-session-expired-title = The command-line secret of an OIDC user needs a renewed login: {$registry}
cause-auth-oidc-session-expired-meaning = The registry keeps such a secret valid only while the user's OIDC session can be refreshed.
cause-auth-oidc-session-expired-fix = Let the user log in to the registry's web pages again, or better: use a robot account for pulls.
cause-auth-repository-missing-as-401-title = The repository does not exist (or is hidden from this account), which {$registry} answers as 401 or 403
cause-auth-repository-missing-as-401-meaning = The credentials are sound: the registry accepts them for other repositories. It hides what does not exist behind a refusal.
cause-auth-repository-missing-as-401-fix = Check the repository's name against the registry's list; create or push it, or give the account access.

## authz

cause-authz-denied-title = This account may not do this at {$registry}
cause-authz-denied-meaning = The registry knows the account and refuses the request (403).
cause-authz-denied-fix = Give the account the right that is missing on this project or repository.
cause-authz-denied-or-missing-title = Access is denied, or the repository does not exist: {$image}
cause-authz-denied-or-missing-meaning = The client's words leave both open: the registry does not say which.
cause-authz-denied-or-missing-fix = Check the repository's name first, then whether the account may pull it.
cause-authz-ip-blocked-title = The client's address is refused by {$registry}
cause-authz-ip-blocked-meaning = The registry (or its firewall rules) admits only listed addresses, and the node's outgoing address is not among them.
cause-authz-ip-blocked-fix = Add the nodes' outgoing address to the registry's allowed networks, or use its private endpoint.
cause-authz-blocked-by-gateway-title = A front end or firewall refuses the request, not the registry: {$host}
cause-authz-blocked-by-gateway-meaning = The refusal carries the marks of a device before the registry, which never saw the request.
cause-authz-blocked-by-gateway-fix = Ask the owner of that device to admit these requests; the answer's headers or page name it.

## manifest

cause-manifest-unknown-title = The tag or digest does not exist: {$image}
cause-manifest-unknown-meaning = The repository exists, and has nothing under this tag or digest.
cause-manifest-unknown-fix = Check the tag against the registry's list; push it, or correct the image name.
cause-manifest-invalid-title = The manifest does not parse: {$image}
cause-manifest-invalid-meaning = The registry answered with a manifest that clients cannot read.
cause-manifest-invalid-fix = Push the image again; check the registry's storage and what stands before it.

## repository

cause-repository-unknown-title = The repository or project does not exist: {$image}
cause-repository-unknown-meaning = The registry has no repository of this name.
cause-repository-unknown-fix = Check the name (project, path, spelling); create the project or push the image.

## manifest

cause-manifest-blocked-title = A policy of the registry withholds the image: {$image}
cause-manifest-blocked-meaning = The image is there, and the registry does not give it out (vulnerability scan, missing signature, quarantine).
cause-manifest-blocked-fix = Resolve the finding that the policy names, or have the image allowed in the registry.
cause-manifest-unsupported-type-title = The client does not understand the manifest's type: {$image}
cause-manifest-unsupported-type-meaning = The reference leads to something that this runtime cannot run: schema 1, an artifact, a chart.
cause-manifest-unsupported-type-fix = Push the image in a current form (OCI or Docker schema 2), or correct the reference if an artifact was named by mistake.
cause-manifest-platform-missing-title = The image has no variant for the platform of {$node}: {$image}
cause-manifest-platform-missing-meaning = The image was built for other operating systems or architectures than the node's.
cause-manifest-platform-missing-fix = Build and push the image for the node's platform as well, or keep the pod on nodes of another (nodeSelector kubernetes.io/arch).

## blob

cause-blob-unknown-title = A layer or configuration that the manifest names is missing: {$image}
cause-blob-unknown-meaning = The manifest is there and part of its content is not.
cause-blob-unknown-fix = Push the image again from where it was built; then look for what removed the blob (cleanup, lost storage).
cause-blob-digest-mismatch-title = The content does not have the digest that was asked for: {$host}
cause-blob-digest-mismatch-meaning = What arrived is not what the manifest promised: altered, cut or mixed up on the way or in storage.
cause-blob-digest-mismatch-fix = Fetch the same blob past the caches and devices on the way and compare; push the image again if the registry's copy is wrong.
cause-blob-truncated-title = The download ended before its length: {$host}
cause-blob-truncated-meaning = The connection was closed in the middle of a layer.
cause-blob-truncated-fix = Look for time or size limits on the front end, proxy or firewall between node and blob store.
cause-blob-redirect-failed-title = The host that blobs are redirected to cannot be reached: {$host}
cause-blob-redirect-failed-meaning = The registry hands the download over to another host (object storage), which the node does not reach, resolve or trust.
cause-blob-redirect-failed-fix = Open the way from the nodes to that host, or let the registry serve blobs itself (disable redirects).

## storage

cause-storage-disk-full-title = No space is left on {$node}
cause-storage-disk-full-meaning = The disk (or its inodes) is full, so layers cannot be stored.
cause-storage-disk-full-fix = Free space: remove unused images and logs, or enlarge the disk; check the kubelet's garbage collection thresholds.
cause-storage-read-only-title = The store on {$node} is read-only
cause-storage-read-only-meaning = Layers cannot be written: the file system was mounted or became read-only.
cause-storage-read-only-fix = Read the kernel's log for file system errors, repair the file system and mount it writable.
cause-storage-layer-corrupt-title = A layer does not unpack: {$image}
cause-storage-layer-corrupt-meaning = The layer's archive or compression is broken, or of a kind that the runtime does not know.
cause-storage-layer-corrupt-fix = Push the image again; if only this node fails, remove the broken content from it.
cause-storage-snapshotter-title = The snapshotter or storage driver failed on {$node}
cause-storage-snapshotter-meaning = Layers arrived and could not be prepared on disk by the storage driver.
cause-storage-snapshotter-fix = Read the runtime's log for the driver's error; check its kernel modules, its plugin and its state directory.

## cache

cause-cache-gc-removed-image-title = The image was only on {$node}, and garbage collection removed it there: {$image}
cause-cache-gc-removed-image-meaning = The image cannot be pulled from anywhere: its only copy was on the node and was deleted to free space.
cause-cache-gc-removed-image-fix = Push the image to a registry that the node reaches, or load it again and pin it.

## push

cause-push-denied-title = The push was refused, for this account may not write: {$image}
cause-push-denied-meaning = The account has no right to push to this repository or project.
cause-push-denied-fix = Give the account write access, or push to a project where it has it.
cause-push-upload-unknown-title = The upload session is not known to {$host}
cause-push-upload-unknown-meaning = The upload began at one replica and went on at another that shares no state or storage with it.
cause-push-upload-unknown-fix = Let all replicas share storage and secret (REGISTRY_HTTP_SECRET), or make the front end's sessions sticky.
cause-push-too-large-title = The upload is larger than a front end of {$host} admits
cause-push-too-large-meaning = A device before the registry refuses the size of the request (413).
cause-push-too-large-fix = Raise the body limit on the front end (nginx: client_max_body_size 0; ingress: proxy-body-size).
cause-push-quota-title = The project's quota is used up: {$image}
cause-push-quota-meaning = The registry takes no more data for this project.
cause-push-quota-fix = Delete what is not needed and run the registry's garbage collection, or raise the quota.
cause-push-immutable-tag-title = The tag exists and may not be overwritten: {$image}
cause-push-immutable-tag-meaning = The registry protects this tag by a rule of immutability.
cause-push-immutable-tag-fix = Push under a new tag, or change the rule.
cause-push-read-only-title = The registry takes no writes: {$registry}
cause-push-read-only-meaning = The registry is in read-only mode, or is a pull-through cache.
cause-push-read-only-fix = Push to the registry that takes writes, or end its read-only mode.
cause-push-location-scheme-title = The upload address that {$registry} answers has the wrong scheme or host
cause-push-location-scheme-meaning = The registry builds the address from what its front end tells it, and that is wrong or missing.
cause-push-location-scheme-fix = Let the front end send X-Forwarded-Proto and Host, or set the registry's external address.
cause-push-failed-local-only-title = The push failed, so the image is only where it was built: {$image}
cause-push-failed-local-only-meaning = The image never arrived in the registry; only the machine that built it has it.
cause-push-failed-local-only-fix = Mend what stopped the push (its own incident or log names it), then push again.

## runtime

cause-runtime-unavailable-title = The runtime on {$node} does not answer
cause-runtime-unavailable-meaning = The container runtime or its socket cannot be reached by the kubelet.
cause-runtime-unavailable-fix = Check the runtime's service and log on the node, and the socket path that the kubelet is given.
cause-runtime-timeout-title = The pull outran a deadline of the client: {$image}
cause-runtime-timeout-meaning = The pull made no progress, or not enough, before a time limit.
cause-runtime-timeout-fix = Look for what makes it slow (large layers, a slow path, a busy disk), then raise the limit if it is simply too short.
cause-runtime-cancelled-title = The pull was cancelled: {$image}
cause-runtime-cancelled-meaning = The client itself gave up: the pod was deleted, the runtime restarted, or a caller went away.
cause-runtime-cancelled-fix = Look at what happened to the pod and the runtime at that moment; a fresh pull may simply work.
cause-runtime-name-reserved-title = An earlier attempt still holds the name on {$node}
cause-runtime-name-reserved-meaning = The runtime is still busy with an earlier attempt to make the same container or sandbox.
cause-runtime-name-reserved-fix = Find out why the earlier attempt hangs (slow disk, overload); it is freed when that ends or the runtime restarts.
cause-runtime-pull-conflict-title = Another pull of the same content is in the way on {$node}
cause-runtime-pull-conflict-meaning = The content store is locked by another pull of the same layer.
cause-runtime-pull-conflict-fix = Wait for the other pull; if none runs, remove its stale lock or restart the runtime.

## not-a-pull-failure

cause-not-a-pull-failure-title = This is no failing pull
cause-not-a-pull-failure-meaning = The text speaks of something else than a failing pull or push.
cause-not-a-pull-failure-fix = Look at what the text does speak of; the image is not the reason.

## unknown

cause-unknown-title = The pull failed, and nothing here shows why
cause-unknown-meaning = The pull fails, and the words at hand do not say why (a bare back-off, an event that has expired).
cause-unknown-fix = Look for the Failed event or the kubelet's and runtime's log of the same pull: they carry the error.
