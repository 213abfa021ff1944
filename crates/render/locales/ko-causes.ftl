# 원인별 문장: 한 줄 판정(-title), 의미(-meaning), 조치(-fix).
# 판정에는 $image, $registry, $host, $node를 쓸 수 있습니다. 변수 바로 뒤에는 조사 대신 명사를 둡니다.

## reference

cause-reference-invalid-title = 이미지 참조의 형식이 잘못되어 요청을 보내지 못했습니다: {$image}
cause-reference-invalid-meaning = 이미지 참조가 클라이언트가 받아들이는 형식이 아니어서 아무 요청도 나가지 않았습니다.
cause-reference-invalid-fix = 파드 또는 파드를 만드는 워크로드의 image 필드를 고치십시오. 소문자만 쓰고, 스킴(https://)과 공백을 없애고, 태그는 128자를 넘지 않아야 합니다.
cause-reference-short-name-title = 짧은 이름이 거부되었거나 의도하지 않은 레지스트리로 해석되었습니다: {$image}
cause-reference-short-name-meaning = 레지스트리가 없는 이미지 이름을 런타임이 거부했거나, 의도하지 않은 레지스트리로 해석했습니다.
cause-reference-short-name-fix = 이미지 이름에 레지스트리를 적거나, 런타임의 unqualified-search-registries와 짧은 이름 별칭을 설정하십시오.
cause-reference-missing-registry-host-title = 이미지 이름에 레지스트리가 없어 Docker Hub에 요청했습니다: {$image}
cause-reference-missing-registry-host-meaning = 이미지 이름에 레지스트리가 없으면 클라이언트는 Docker Hub에 요청합니다.
cause-reference-missing-registry-host-fix = 이미지 이름 앞에 레지스트리 호스트와 포트를 적으십시오.

## policy

cause-policy-never-pull-title = imagePullPolicy가 Never인데 노드에 이미지가 없습니다
cause-policy-never-pull-meaning = 파드가 이미지 풀을 금지하는데 노드에 그 이미지가 없습니다.
cause-policy-never-pull-fix = imagePullPolicy를 IfNotPresent로 바꾸거나, 파드가 실행될 수 있는 모든 노드에 이미지를 미리 적재하십시오.
cause-policy-signature-title = 런타임의 서명 정책이 이미지를 거부했습니다: {$image}
cause-policy-signature-meaning = 런타임의 신뢰 정책이 요구하는 서명이 이미지에 없거나, 서명한 키를 정책이 인정하지 않습니다.
cause-policy-signature-fix = 정책이 지정한 키로 이미지에 서명하거나, 이 레지스트리에 대한 정책(policy.json, registries.d)을 고치십시오.
cause-policy-credentials-not-verified-title = 노드에 이미지가 있지만 이 파드에는 사용 권한을 보일 자격 증명이 없습니다
cause-policy-credentials-not-verified-meaning = kubelet은 노드에 이미 있는 이미지에도 풀 자격 증명을 확인하는데, 이 파드에는 인정된 자격 증명이 없습니다.
cause-policy-credentials-not-verified-fix = 이 이미지에 대해 레지스트리가 인정하는 풀 시크릿을 연결하거나, kubelet의 imagePullCredentialsVerificationPolicy를 클러스터에 맞게 설정하십시오.

## kubelet

cause-kubelet-pull-qps-title = {$node} 노드에서 kubelet 자체의 이미지 풀 속도 제한을 넘었습니다
cause-kubelet-pull-qps-meaning = kubelet은 초당 시작하는 이미지 풀 수를 제한합니다. 이 풀은 레지스트리까지 가지 못했습니다.
cause-kubelet-pull-qps-fix = kubelet 설정의 registryPullQPS와 registryBurst를 높이거나, 한 노드에서 동시에 시작하는 파드 수를 줄이십시오.

## sandbox

cause-sandbox-image-title = 파드 샌드박스(pause) 이미지를 가져올 수 없습니다: {$image}
cause-sandbox-image-meaning = 모든 파드는 먼저 pause 이미지가 있어야 하는데, 런타임이 이 이미지를 가져오지 못합니다.
cause-sandbox-image-fix = 런타임의 샌드박스 이미지를 노드가 가져올 수 있는 것으로 바꾸거나, 노드에 적재하고 가비지 컬렉션에서 제외되도록 고정(pin)하십시오.
cause-sandbox-cni-title = {$node} 노드에서 파드 네트워크를 구성하지 못해 이미지 풀까지 가지 못했습니다
cause-sandbox-cni-meaning = 이미지를 요청하기 전에 네트워크 플러그인이 실패했습니다. 이미지 풀 장애가 아닙니다.
cause-sandbox-cni-fix = 노드의 네트워크 플러그인(바이너리, 설정, 에이전트)을 고치십시오. 이미지와는 관련이 없습니다.

## credentials

cause-credentials-secret-missing-title = 파드 또는 서비스 어카운트가 지정한 풀 시크릿이 없습니다
cause-credentials-secret-missing-meaning = 파드 또는 서비스 어카운트가 지정한 풀 시크릿이 해당 네임스페이스에 없습니다. kubelet은 시크릿 없이 계속 진행합니다.
cause-credentials-secret-missing-fix = 파드의 네임스페이스에 그 이름으로 시크릿을 만들거나, 시크릿을 참조하는 쪽의 이름을 고치십시오.
cause-credentials-wrong-namespace-title = 풀 시크릿이 파드와 다른 네임스페이스에 있습니다
cause-credentials-wrong-namespace-meaning = 풀 시크릿은 파드가 속한 네임스페이스에서만 찾습니다. 다른 네임스페이스의 시크릿은 쓰이지 않습니다.
cause-credentials-wrong-namespace-fix = 파드의 네임스페이스에도 시크릿을 만드십시오. 네임스페이스가 많다면 컨트롤러로 복제하십시오.
cause-credentials-wrong-type-title = 풀 시크릿의 타입이 kubelet이 인정하는 타입이 아닙니다
cause-credentials-wrong-type-meaning = kubernetes.io/dockerconfigjson 또는 kubernetes.io/dockercfg 타입의 시크릿만 풀 시크릿으로 읽습니다.
cause-credentials-wrong-type-fix = kubernetes.io/dockerconfigjson 타입으로 시크릿을 다시 만드십시오. 기존 시크릿의 타입은 바꿀 수 없습니다.
cause-credentials-wrong-key-title = 풀 시크릿의 타입은 맞지만 데이터 키가 잘못되었습니다
cause-credentials-wrong-key-meaning = 이 타입의 시크릿은 정해진 데이터 키(.dockerconfigjson 또는 .dockercfg)만 읽습니다.
cause-credentials-wrong-key-fix = 데이터 키를 .dockerconfigjson으로 하여 시크릿을 만드십시오.
cause-credentials-malformed-title = 풀 시크릿의 내용을 해석할 수 없습니다
cause-credentials-malformed-meaning = 시크릿에 올바른 base64, JSON 또는 user:password 형식이 아닌 내용이 들어 있어 쓸 수 없습니다.
cause-credentials-malformed-fix = 올바른 형식으로 만들어 주는 `kubectl create secret docker-registry` 명령으로 시크릿을 다시 만드십시오.
cause-credentials-host-mismatch-title = 풀 시크릿에 {$registry} 레지스트리에 맞는 항목이 없습니다
cause-credentials-host-mismatch-meaning = 풀 시크릿의 키가 이미지의 레지스트리와 호스트, 포트, 스킴 또는 경로가 달라서 어느 항목도 쓰이지 않습니다.
cause-credentials-host-mismatch-fix = 이미지에 적힌 레지스트리 그대로(포트 포함, 맞지 않는 스킴과 경로 제외) 시크릿을 만드십시오.
cause-credentials-username-mangled-title = 시크릿에 넣는 과정에서 사용자 이름 또는 비밀번호가 바뀌었습니다
cause-credentials-username-mangled-meaning = 셸이나 템플릿이 값을 바꾸었습니다(`$` 확장, 백슬래시 추가, 줄바꿈 포함). 그래서 레지스트리에는 다른 값이 전달됩니다.
cause-credentials-username-mangled-fix = 값을 작은따옴표로 감싸거나 파일에서 읽어 시크릿을 다시 만드십시오.
cause-credentials-not-attached-title = 맞는 풀 시크릿이 있지만 파드도 서비스 어카운트도 이를 지정하지 않았습니다
cause-credentials-not-attached-meaning = 시크릿 자체는 쓸 수 있지만, 이 파드에 쓰라고 kubelet에 알려 주는 설정이 없습니다.
cause-credentials-not-attached-fix = 서비스 어카운트 또는 파드 템플릿의 imagePullSecrets에 시크릿을 추가한 뒤 파드를 새로 만드십시오.
cause-credentials-overridden-by-pod-title = 파드 자체의 imagePullSecrets가 서비스 어카운트의 풀 시크릿을 가립니다
cause-credentials-overridden-by-pod-meaning = 서비스 어카운트의 풀 시크릿은 파드가 직접 지정한 시크릿이 없을 때만 추가됩니다.
cause-credentials-overridden-by-pod-fix = 필요한 시크릿을 파드 템플릿에 모두 적거나, 아예 적지 않아 서비스 어카운트의 시크릿이 쓰이게 하십시오.
cause-credentials-pod-predates-secret-title = 파드가 서비스 어카운트나 시크릿을 고치기 전에 만들어졌습니다
cause-credentials-pod-predates-secret-meaning = 서비스 어카운트의 풀 시크릿은 파드가 만들어질 때 파드에 기록됩니다. 나중의 변경은 기존 파드에 반영되지 않습니다.
cause-credentials-pod-predates-secret-fix = 파드를 새로 만드십시오(`kubectl rollout restart`). 다른 조치는 필요 없습니다.
cause-credentials-expired-title = {$registry} 레지스트리의 자격 증명이 만료되었습니다
cause-credentials-expired-meaning = 풀 시크릿에 든 토큰이나 계정에는 유효 기간이 있고, 그 기간이 지났습니다.
cause-credentials-expired-fix = 자격 증명을 갱신하고, 만료 전에 자동으로 갱신되게 하십시오(자격 증명 공급자, 컨트롤러, 만료 없는 로봇 계정).
cause-credentials-reverted-by-controller-title = 컨트롤러가 시크릿 또는 서비스 어카운트를 계속 원래대로 되돌립니다
cause-credentials-reverted-by-controller-meaning = 이 객체는 컨트롤러가 관리하며, 리컨실할 때마다 자신의 버전으로 되돌립니다. 직접 고친 내용은 남지 않습니다.
cause-credentials-reverted-by-controller-fix = 객체를 직접 고치지 말고, 컨트롤러가 읽는 원본을 고치거나 해당 필드의 소유권을 다른 주체로 넘기십시오.
cause-credentials-pruned-by-gitops-title = GitOps 도구가 풀 시크릿을 삭제(prune)합니다
cause-credentials-pruned-by-gitops-meaning = 시크릿에 GitOps 애플리케이션의 레이블 또는 어노테이션이 있는데 원본에는 시크릿이 없어, 동기화할 때마다 삭제됩니다.
cause-credentials-pruned-by-gitops-fix = 시크릿을 애플리케이션 원본에 추가하거나, 시크릿에서 도구의 추적용 레이블과 어노테이션을 제거하십시오.
cause-credentials-garbage-collected-title = 풀 시크릿에 남은 ownerReferences 때문에 가비지 컬렉션이 시크릿을 삭제합니다
cause-credentials-garbage-collected-meaning = 시크릿을 복사할 때 이 네임스페이스에 없는 객체를 가리키는 ownerReferences가 함께 복사되어, 쿠버네티스가 시크릿을 제거합니다.
cause-credentials-garbage-collected-fix = metadata.ownerReferences(그리고 uid와 resourceVersion)를 뺀 상태로 시크릿을 복사하십시오.
cause-credentials-provider-failed-title = {$node} 노드에서 kubelet 자격 증명 공급자가 실패했거나 시간을 초과했습니다
cause-credentials-provider-failed-meaning = 이 레지스트리의 자격 증명을 가져와야 할 플러그인이 아무것도 돌려주지 않아, 풀이 자격 증명 없이 진행됩니다.
cause-credentials-provider-failed-fix = kubelet 로그에서 플러그인의 오류를 확인하고, 플러그인 바이너리, 역할(IAM), 클라우드 API까지의 경로를 점검하십시오.
cause-credentials-provider-misconfigured-title = kubelet 자격 증명 공급자 설정이 이 이미지를 포함하지 않습니다
cause-credentials-provider-misconfigured-meaning = matchImages, API 버전, 바이너리 또는 노드 역할 때문에 공급자가 이 레지스트리에 대해 응답하지 않습니다.
cause-credentials-provider-misconfigured-fix = kubelet의 CredentialProviderConfig(포트가 있으면 matchImages에도 포트를 기재) 또는 노드 역할을 고치고 kubelet을 재시작하십시오.
cause-credentials-not-used-for-mirror-title = 자격 증명이 있지만 실제로 요청을 받는 미러에는 전송되지 않습니다: {$host}
cause-credentials-not-used-for-mirror-meaning = 자격 증명은 이미지에 적힌 레지스트리의 것입니다. 앞단의 미러에는 다른 자격 증명이 전송되거나 전송되지 않습니다.
cause-credentials-not-used-for-mirror-fix = 런타임이 읽는 위치에 미러용 자격 증명을 설정하거나, 미러가 인증 없이 응답하게 하십시오.

## dns

cause-dns-not-found-title = 리졸버가 호스트 이름을 찾지 못했습니다: {$host}
cause-dns-not-found-meaning = 질의를 받은 리졸버가 그런 이름이 없거나 주소가 없다고 응답했습니다.
cause-dns-not-found-fix = 호스트 이름의 철자를 확인하고, 노드가 질의하는 네임서버를 확인하십시오. 노드의 DNS는 클러스터 DNS와 다릅니다.
cause-dns-server-failure-title = 리졸버가 이름 조회에 실패했거나 조회를 거부했습니다: {$host}
cause-dns-server-failure-meaning = 네임서버에 질의할 수 없었거나, 네임서버가 질의를 거부했거나 자체 오류(SERVFAIL)로 응답했습니다. 이름 자체는 존재할 수 있습니다.
cause-dns-server-failure-fix = 이 존에 대한 네임서버와 포워더를 점검하고, 다른 서버에도 질의하여 비교하십시오.
cause-dns-timeout-title = 리졸버가 이름 조회에 응답하지 않았습니다: {$host}
cause-dns-timeout-meaning = 제한 시간 안에 네임서버의 응답이 오지 않았습니다.
cause-dns-timeout-fix = 노드에서 네임서버의 53번 포트(UDP, TCP)까지 통신이 되는지 확인하십시오.
cause-dns-node-resolver-broken-title = {$node} 노드의 리졸버만 실패합니다
cause-dns-node-resolver-broken-meaning = 다른 노드나 파드에서는 같은 이름이 조회되는데 이 노드의 이름 해석만 실패합니다.
cause-dns-node-resolver-broken-fix = 정상 노드와 /etc/resolv.conf 및 로컬 리졸버(systemd-resolved, dnsmasq)를 비교하여 이 노드를 고치십시오.
cause-dns-inconsistent-resolvers-title = {$node} 노드의 리졸버마다 응답이 달라 조회 결과가 일정하지 않습니다
cause-dns-inconsistent-resolvers-meaning = 노드의 네임서버 중 일부만 이름을 알고 있습니다. 이름을 모르는 서버에 질의될 때마다 풀이 실패합니다.
cause-dns-inconsistent-resolvers-fix = 내부 존을 모두 아는 네임서버만 등록하거나, 내부 존을 전달하는 포워더를 앞에 두십시오.
cause-dns-cluster-name-on-node-title = 노드가 조회하지 못하는 클러스터 내부 DNS 이름입니다: {$host}
cause-dns-cluster-name-on-node-meaning = 이미지는 노드가 가져오는데, 노드는 서비스의 DNS 이름을 조회하지 못합니다.
cause-dns-cluster-name-on-node-fix = 인그레스, 로드 밸런서, 실제 이름을 가진 노드 포트, 노드의 hosts 항목처럼 노드가 조회할 수 있는 이름으로 레지스트리를 지정하십시오.
cause-dns-wrong-address-title = 레지스트리가 아닌 주소로 조회됩니다: {$host}
cause-dns-wrong-address-meaning = 이름 조회는 되지만 주소가 틀립니다. 오래된 레코드, hosts 항목, 또는 존의 다른 뷰 때문입니다.
cause-dns-wrong-address-fix = 잘못된 주소를 주는 레코드나 hosts 항목을 고치고, 캐시가 만료되기를 기다리십시오.

## net

cause-net-refused-title = 연결이 거부되었습니다. 해당 포트에서 수신 중인 프로그램이 없습니다: {$host}
cause-net-refused-meaning = 주소는 응답했지만 연결을 거부했습니다. 그 포트에서 수신 중인 프로그램이 없거나 방화벽이 거부(reject)합니다.
cause-net-refused-fix = 레지스트리 또는 앞단 프록시가 실행 중이고 이 포트에서 수신하는지, 포트 번호가 맞는지 확인하십시오.
cause-net-timeout-title = 제한 시간 안에 응답이 없습니다: {$host}
cause-net-timeout-meaning = 주소로 가거나 돌아오는 패킷이 유실됩니다. 패킷을 버리는 방화벽, 빠진 경로, 또는 내려간 호스트 때문입니다.
cause-net-timeout-fix = 노드에서 해당 호스트와 포트까지의 경로를 시험하고, 필요한 만큼만 방화벽 개방을 요청하십시오.
cause-net-unreachable-title = 목적지까지의 경로가 없습니다: {$host}
cause-net-unreachable-meaning = 노드 또는 중간 라우터가 해당 주소에 도달할 수 없다고 응답했습니다.
cause-net-unreachable-fix = 노드의 라우팅을 확인하고, IPv6 주소라면 노드에 IPv6가 구성되어 있는지 확인하십시오.
cause-net-reset-title = 연결이 재설정(reset)되었습니다: {$host}
cause-net-reset-meaning = 상대방 또는 중간 장비가 연결을 강제로 끊었습니다.
cause-net-reset-fix = 누가 연결을 끊는지 확인하십시오(레지스트리 앞단, 검사하는 방화벽, 연결 수 제한).
cause-net-eof-title = 응답하기 전에 연결이 닫혔습니다: {$host}
cause-net-eof-meaning = 연결은 수락되었지만 응답 없이 종료되었습니다.
cause-net-eof-fix = 수신하는 쪽의 로그를 확인하십시오. 백엔드가 없는 앞단, 잘못된 프로토콜, 또는 비정상 종료하는 프로세스일 수 있습니다.
cause-net-hairpin-title = 자기 자신으로 되돌아오는 서비스 주소에 노드가 접근하지 못합니다: {$node}
cause-net-hairpin-meaning = 노드에서 로드 밸런서 또는 서비스로 나간 트래픽이 같은 노드로 되돌아오면서 버려집니다.
cause-net-hairpin-fix = 노드에 자신의 주소가 아닌 다른 경로를 제공하거나, 로드 밸런서에서 헤어핀 트래픽을 허용하십시오.
cause-net-localhost-nodeport-title = localhost의 노드 포트 주소이며, 노드의 프록시 모드가 이를 지원하지 않습니다: {$host}
cause-net-localhost-nodeport-meaning = 노드 포트가 127.0.0.1에서 응답하는 것은 kube-proxy의 일부 모드뿐입니다. 다른 모드에서는 수신하지 않습니다.
cause-net-localhost-nodeport-fix = 노드의 실제 주소나 이름으로 레지스트리를 지정하거나, 노드에 로컬 프록시를 실행하십시오.
cause-net-mtu-blackhole-title = {$node} 노드와 목적지 사이에서 큰 패킷이 유실됩니다: {$host}
cause-net-mtu-blackhole-meaning = 작은 패킷은 통과하고 큰 패킷은 사라져 핸드셰이크나 다운로드가 멈춥니다. 경로 중간의 MTU가 더 작은데 이를 알려 주지 않습니다.
cause-net-mtu-blackhole-fix = 노드 인터페이스의 MTU를 경로에 맞게 낮추거나 중간에서 TCP MSS를 조정하고, ICMP "too big" 메시지를 허용하십시오.

## proxy

cause-proxy-unreachable-title = 설정된 프록시에 연결할 수 없습니다(가려던 호스트: {$host})
cause-proxy-unreachable-meaning = 런타임이 프록시를 쓰도록 설정되어 있는데 그 프록시가 응답하지 않습니다. 레지스트리에는 요청이 가지 않았습니다.
cause-proxy-unreachable-fix = 런타임 환경의 프록시 주소를 고치거나 프록시까지의 경로를 복구하십시오. 내부 레지스트리라면 NO_PROXY로 제외하십시오.
cause-proxy-auth-required-title = 프록시가 인증을 요구합니다(407)
cause-proxy-auth-required-meaning = 중간의 프록시가 먼저 로그인을 요구합니다. 레지스트리에는 요청이 가지 않았습니다.
cause-proxy-auth-required-fix = 이 호스트들에 대해 노드의 프록시 인증 면제를 요청하거나, 런타임의 프록시 설정에 자격 증명을 넣으십시오.
cause-proxy-rejected-title = 프록시가 목적지로의 연결을 거부합니다: {$host}
cause-proxy-rejected-meaning = 프록시는 응답하지만 규칙에 따라 이 목적지를 금지합니다.
cause-proxy-rejected-fix = 레지스트리의 호스트(토큰 서비스와 블롭 저장소 포함)를 프록시에서 허용하도록 요청하거나, NO_PROXY로 우회하십시오.
cause-proxy-misconfigured-title = 프록시 설정값이 잘못되었습니다
cause-proxy-misconfigured-meaning = 프록시 URL의 스킴이 틀렸거나 형식이 잘못되어 요청을 보낼 수 없습니다.
cause-proxy-misconfigured-fix = 런타임 유닛의 HTTPS_PROXY와 HTTP_PROXY를 고치고(보통 http://host:port 형식) 런타임을 재시작하십시오.
cause-proxy-upstream-failed-title = 프록시가 요청을 받았지만 목적지에 연결하지 못했습니다: {$host}
cause-proxy-upstream-failed-meaning = 프록시는 동작하지만 프록시에서 레지스트리로 가는 연결이 실패했습니다(프록시의 502, 503, 504).
cause-proxy-upstream-failed-fix = 프록시의 이름 해석과 레지스트리까지의 경로를 점검하십시오. 내부 레지스트리라면 NO_PROXY로 우회하십시오.
cause-proxy-no-proxy-missing-title = 내부 레지스트리가 NO_PROXY에 포함되어 있지 않습니다: {$registry}
cause-proxy-no-proxy-missing-meaning = 내부 레지스트리로 가는 요청이 프록시로 전달되는데, 프록시는 그 레지스트리를 모르거나 접근할 수 없습니다.
cause-proxy-no-proxy-missing-fix = 런타임 환경의 NO_PROXY에 레지스트리의 호스트, 도메인 또는 주소 대역을 추가하고 런타임을 재시작하십시오.
cause-proxy-not-in-unit-title = 프록시가 필요하지만 {$node} 노드의 런타임 환경에 프록시가 설정되어 있지 않습니다
cause-proxy-not-in-unit-meaning = 프록시가 다른 곳(셸, kubelet, 사라진 드롭인 파일)에 설정되어 있어 런타임은 프록시 없이 직접 연결합니다.
cause-proxy-not-in-unit-fix = 런타임 유닛의 드롭인 파일에 HTTPS_PROXY, HTTP_PROXY, NO_PROXY를 설정하고 systemd를 다시 읽은 뒤 런타임을 재시작하십시오.
cause-proxy-strips-authorization-title = 중간 장비가 Authorization 헤더를 제거하거나 바꿉니다: {$host}
cause-proxy-strips-authorization-meaning = 클라이언트는 자격 증명을 보내지만 중간의 프록시나 앞단이 제거하여 레지스트리가 받지 못합니다.
cause-proxy-strips-authorization-fix = 프록시 또는 앞단이 Authorization 헤더를 그대로 전달하게 하거나, 레지스트리를 프록시 대상에서 제외하십시오.

## tls

cause-tls-unknown-authority-title = 클라이언트가 신뢰하지 않는 CA가 발급한 인증서입니다: {$host}
cause-tls-unknown-authority-meaning = 인증서를 발급한 CA가 클라이언트에 없거나, CA가 든 파일을 클라이언트가 읽지 않습니다.
cause-tls-unknown-authority-fix = 이 호스트에 대한 런타임 설정(hosts.toml, certs.d) 또는 노드의 신뢰 저장소에 발급 CA를 추가하십시오. 검증을 끄지는 마십시오.
cause-tls-self-signed-title = 신뢰하지 않는 자체 서명 인증서입니다: {$host}
cause-tls-self-signed-meaning = 서버 인증서가 자기 자신으로 서명되었고, 클라이언트에 이를 신뢰하라는 설정이 없습니다.
cause-tls-self-signed-fix = 레지스트리에 사내 CA가 발급한 인증서를 적용하십시오. 그때까지는 이 인증서 자체를 해당 호스트의 CA로 런타임에 등록하십시오.
cause-tls-incomplete-chain-title = 서버가 필요한 중간 인증서를 보내지 않습니다: {$host}
cause-tls-incomplete-chain-meaning = 서버가 보낸 체인이 클라이언트가 아는 발급자까지 이어지지 않습니다. 브라우저는 빠진 인증서를 내려받지만 런타임은 그러지 않습니다.
cause-tls-incomplete-chain-fix = 서버에 전체 체인(서버 인증서와 모든 중간 인증서)을 설치하십시오.
cause-tls-expired-title = 클라이언트 시계 기준으로 인증서가 만료되었습니다: {$host}
cause-tls-expired-meaning = 클라이언트의 시계로 볼 때 인증서의 유효 기간이 지났습니다.
cause-tls-expired-fix = 인증서를 갱신하고 서버에 다시 적용하십시오. 다른 노드는 문제가 없다면 이 노드의 시계도 확인하십시오.
cause-tls-not-yet-valid-title = 클라이언트 시계 기준으로 인증서의 유효 기간이 아직 시작되지 않았습니다: {$host}
cause-tls-not-yet-valid-meaning = 클라이언트의 시계로 볼 때 인증서의 시작 시각이 미래입니다.
cause-tls-not-yet-valid-fix = 먼저 노드의 시계를, 다음으로 인증서의 유효 기간을 확인하십시오.
cause-tls-hostname-mismatch-title = 인증서에 적힌 이름이 요청한 호스트와 다릅니다: {$host}
cause-tls-hostname-mismatch-meaning = 서버가 제시한 인증서는 요청한 이름이나 주소가 아닌 다른 대상의 것입니다.
cause-tls-hostname-mismatch-fix = 이 이름이 SAN에 포함된 인증서를 발급하거나, 인증서에 있는 이름으로 레지스트리를 지정하십시오.
cause-tls-no-san-title = 인증서에 쓸 수 있는 SAN(주체 대체 이름)이 없습니다: {$host}
cause-tls-no-san-meaning = 클라이언트는 이제 CN을 읽지 않습니다. 이름과 주소는 인증서의 SAN에 있어야 합니다.
cause-tls-no-san-fix = 호스트 이름(IP 주소라면 IP 항목)을 SAN에 넣어 인증서를 다시 발급하십시오.
cause-tls-insecure-algorithm-title = 인증서의 서명 또는 키 알고리즘을 클라이언트가 거부합니다: {$host}
cause-tls-insecure-algorithm-meaning = 더는 허용되지 않는 서명이나 키(SHA-1, MD5, 짧은 RSA 키)를 사용합니다.
cause-tls-insecure-algorithm-fix = SHA-256과 현재 기준의 키로 인증서와 중간 인증서를 다시 발급하십시오.
cause-tls-client-cert-required-title = 서버가 클라이언트 인증서를 요구하지만 제시되지 않았거나 거부되었습니다: {$host}
cause-tls-client-cert-required-meaning = 서버는 인증서로 자신을 증명하는 클라이언트만 허용합니다.
cause-tls-client-cert-required-fix = 런타임에 이 호스트의 클라이언트 인증서와 키를 설정하십시오(hosts.toml의 `client`, certs.d의 .cert와 .key).
cause-tls-wrong-usage-title = 서버용으로 발급된 인증서가 아닙니다: {$host}
cause-tls-wrong-usage-meaning = 인증서의 키 사용 용도(key usage)가 실제 용도를 허용하지 않습니다.
cause-tls-wrong-usage-fix = 확장 키 사용에 "server authentication"을 넣어 인증서를 다시 발급하십시오.
cause-tls-handshake-title = TLS 핸드셰이크에 실패했습니다: {$host}
cause-tls-handshake-meaning = 양쪽이 합의하지 못해 한쪽이 경고(alert)를 보내고 핸드셰이크를 끝냈습니다.
cause-tls-handshake-fix = 서버가 제공하는 버전, 암호 스위트, 인증서와 클라이언트가 지원하는 것을 비교하십시오. 경고(alert) 내용에 이유가 적혀 있습니다.
cause-tls-handshake-timeout-title = TLS 핸드셰이크가 제한 시간 안에 끝나지 않았습니다: {$host}
cause-tls-handshake-timeout-meaning = 연결은 되었지만 서버 쪽 핸드셰이크 메시지가 제때 도착하지 않습니다.
cause-tls-handshake-timeout-fix = 큰 패킷을 버리는 구간(MTU), TLS를 검사하는 장비, 과부하 상태의 서버를 확인하십시오.
cause-tls-protocol-version-title = 클라이언트와 서버가 공통으로 지원하는 TLS 버전이 없습니다: {$host}
cause-tls-protocol-version-meaning = 한쪽이 지원하는 버전을 다른 쪽이 비활성화했습니다.
cause-tls-protocol-version-fix = 서버 또는 앞단 장비에서 TLS 1.2 또는 1.3을 활성화하십시오.
cause-tls-http-response-to-https-title = 클라이언트는 TLS로 접속했지만 서버는 평문 HTTP로 응답했습니다: {$host}
cause-tls-http-response-to-https-meaning = 클라이언트는 HTTPS를 기대했는데 평문 HTTP 응답을 받았습니다.
cause-tls-http-response-to-https-fix = 레지스트리에 TLS를 적용하십시오. 정말 평문 HTTP를 써야 한다면 런타임에 이 호스트를 HTTP로 선언하십시오.
cause-tls-not-tls-title = TLS도 HTTP도 아닌 프로토콜로 응답하는 포트입니다: {$host}
cause-tls-not-tls-meaning = 해당 포트에서 다른 프로토콜이 응답합니다.
cause-tls-not-tls-fix = 포트 번호와 그 포트에서 수신 중인 프로그램을 확인하십시오.
cause-tls-https-required-title = 클라이언트는 평문 HTTP로 접속했지만 서버는 TLS를 요구합니다: {$host}
cause-tls-https-required-meaning = HTTPS만 제공하는 레지스트리에 HTTP로 접속하도록 설정되어 있습니다.
cause-tls-https-required-fix = 이 호스트의 평문 HTTP 설정(hosts.toml의 http://, insecure registries)을 제거하거나 포트를 고치십시오.
cause-tls-ca-file-unreadable-title = 설정된 인증서 파일을 {$node} 노드에서 읽을 수 없습니다
cause-tls-ca-file-unreadable-meaning = 런타임 설정이 지정한 CA, 인증서 또는 키 파일이 없거나, 읽을 수 없거나, 인증서가 들어 있지 않습니다.
cause-tls-ca-file-unreadable-fix = 정확히 그 경로에 PEM 형식의 파일을 두고 런타임이 읽을 수 있게 하십시오.
cause-tls-interception-title = 중간 장비가 자체 인증서를 제시합니다(TLS 가로채기): {$host}
cause-tls-interception-meaning = 도착한 인증서는 레지스트리의 것이 아닙니다. 프록시 또는 방화벽이 TLS 연결을 복호화합니다.
cause-tls-interception-fix = 레지스트리의 호스트(토큰 서비스와 블롭 저장소 포함)를 TLS 검사에서 제외하거나, 장비의 CA를 런타임에 등록하십시오.

## clock

cause-clock-node-title = {$node} 노드의 시계가 맞지 않습니다
cause-clock-node-meaning = 인증서와 서명된 요청의 유효성은 노드의 시계로 판단하는데, 그 시계가 틀렸습니다.
cause-clock-node-fix = 시계를 맞추고 시간 동기화 서비스(chrony, systemd-timesyncd, NTP 서버)를 고친 뒤 다시 시도하십시오.

## config

cause-config-path-list-unsupported-title = config_path가 디렉터리 목록인데, 사용 중인 풀 경로는 이를 디렉터리 하나로 해석합니다
cause-config-path-list-unsupported-meaning = 목록 전체를 디렉터리 하나의 이름으로 해석하므로 그런 디렉터리가 없고, hosts.toml을 전혀 읽지 않습니다.
cause-config-path-list-unsupported-fix = config_path를 의도한 디렉터리 하나(보통 /etc/containerd/certs.d)로 설정하고 containerd를 재시작하십시오.
cause-config-wrong-section-title = 이 버전이 이미지 풀에 사용하지 않는 섹션에 설정이 있습니다
cause-config-wrong-section-meaning = 플러그인 이름은 containerd 버전마다 다릅니다. 다른 버전의 이름 아래에 둔 설정은 효과가 없습니다.
cause-config-wrong-section-fix = 이 버전이 읽는 섹션으로 설정을 옮기고 containerd를 재시작하십시오.
cause-config-version-mismatch-title = 설정 파일의 version과 섹션 이름이 서로 맞지 않습니다
cause-config-version-mismatch-meaning = 파일에 선언된 version과 섹션 이름의 형식이 달라서 의도한 대로 읽히지 않습니다.
cause-config-version-mismatch-fix = version과 섹션 이름을 일치시키고(`containerd config migrate`로 형식 확인) containerd를 재시작하십시오.
cause-config-wrong-file-name-title = 호스트 설정 파일의 이름이 런타임이 읽는 이름이 아닙니다
cause-config-wrong-file-name-meaning = 파일 위치는 맞지만 런타임은 다른 이름을 찾습니다.
cause-config-wrong-file-name-fix = 런타임이 읽는 이름(hosts.toml, 런타임에 따라 ca.crt 또는 *.crt)으로 파일 이름을 바꾸십시오.
cause-config-wrong-file-location-title = 런타임이 찾지 않는 위치에 설정 파일이 있습니다
cause-config-wrong-file-location-meaning = 파일 내용은 문제없지만 이 런타임 또는 배포판은 다른 경로를 읽습니다.
cause-config-wrong-file-location-fix = 이 런타임 또는 배포판이 읽는 경로로 파일을 옮기십시오.
cause-config-path-unset-title = 적용된 설정 디렉터리가 없어 hosts.toml을 읽지 않습니다
cause-config-path-unset-meaning = 사용 중인 풀 경로에 config_path가 설정되어 있지 않아 certs.d 아래의 내용이 효과가 없습니다.
cause-config-path-unset-fix = config_path를 호스트 설정이 있는 디렉터리로 지정하고 containerd를 재시작하십시오.
cause-config-legacy-inline-ignored-title = 이 버전이 더는 읽지 않는 인라인 테이블에 설정이 있습니다
cause-config-legacy-inline-ignored-meaning = registry.mirrors와 registry.configs는 제거되었거나 이 풀 경로에서 읽지 않습니다.
cause-config-legacy-inline-ignored-fix = 설정을 config_path 아래의 hosts.toml 파일로 옮기고 containerd를 재시작하십시오.
cause-config-host-dir-mismatch-title = 호스트 디렉터리 이름이 {$registry} 레지스트리와 일치하지 않습니다
cause-config-host-dir-mismatch-meaning = 디렉터리 이름은 포트를 포함하여 이미지의 레지스트리와 정확히 같아야 합니다. 다른 이름의 디렉터리는 열지 않습니다.
cause-config-host-dir-mismatch-fix = 이미지에 적힌 호스트와 포트로 디렉터리 이름을 바꾸십시오.
cause-config-server-wrong-title = 호스트 설정의 주소에서 레지스트리가 응답하지 않습니다: {$host}
cause-config-server-wrong-meaning = server 또는 host 항목의 스킴, 호스트, 포트 또는 경로가 잘못되었습니다.
cause-config-server-wrong-fix = hosts.toml의 `server`와 host 항목을 레지스트리가 실제로 응답하는 주소로 고치십시오.
cause-config-missing-on-node-title = 다른 노드에는 있는 설정 또는 CA가 {$node} 노드에 없습니다
cause-config-missing-on-node-meaning = 다른 노드에서는 같은 이미지가 풀되는데, 이 노드에는 그에 필요한 파일이 없습니다.
cause-config-missing-on-node-fix = 이 노드에 파일을 배포하고, 새 노드를 만드는 이미지나 스크립트에도 추가하십시오.
cause-config-hosts-toml-invalid-title = {$registry} 레지스트리의 hosts.toml이 잘못되었거나 의도와 다르게 해석됩니다
cause-config-hosts-toml-invalid-meaning = 런타임이 파일을 거부하거나 의도와 다르게 읽습니다.
cause-config-hosts-toml-invalid-fix = 표시된 위치를 고치십시오. hosts.toml은 풀할 때마다 읽으므로 재시작할 필요가 없습니다.
cause-config-not-reloaded-title = 프로세스가 시작된 뒤에 설정 파일이 바뀌어 아직 적용되지 않았습니다
cause-config-not-reloaded-meaning = 디스크의 설정이 실행 중인 프로세스보다 새롭습니다. 프로세스는 아직 이전 설정을 사용합니다.
cause-config-not-reloaded-fix = 파일을 읽는 프로세스를 재시작하십시오. 먼저 노드 하나에서만 하십시오.
cause-config-mirrors-and-config-path-title = 인라인 mirrors/configs와 config_path를 함께 쓸 수 없습니다
cause-config-mirrors-and-config-path-meaning = 두 방식이 모두 설정되어 런타임이 레지스트리 설정을 거부합니다.
cause-config-mirrors-and-config-path-fix = config_path와 hosts.toml을 남기고 인라인 테이블을 제거한 뒤 containerd를 재시작하십시오.
cause-config-mirror-key-mismatch-title = 미러가 {$registry} 레지스트리가 아닌 다른 이름으로 설정되어 있습니다
cause-config-mirror-key-mismatch-meaning = 미러의 키는 이미지에 적힌 레지스트리여야 합니다. 다른 이름의 미러는 쓰이지 않습니다.
cause-config-mirror-key-mismatch-fix = 미러의 키(또는 호스트 디렉터리 이름)를 이미지에 적힌 레지스트리로 바꾸십시오.
cause-config-mirror-path-wrong-title = 미러 URL이 다른 리포지토리를 가리킵니다: {$host}
cause-config-mirror-path-wrong-meaning = 미러 설정의 경로 또는 재작성(rewrite) 규칙이 요청할 리포지토리를 바꿉니다.
cause-config-mirror-path-wrong-fix = 미러에 실제로 있는 리포지토리를 요청하도록 경로 또는 재작성 규칙을 고치십시오.
cause-config-override-path-missing-title = 미러의 API가 하위 경로에 있는데 override_path가 설정되어 있지 않습니다: {$host}
cause-config-override-path-missing-meaning = override_path가 없으면 클라이언트가 미러의 실제 위치와 다른 곳에 /v2를 붙입니다.
cause-config-override-path-missing-fix = host 항목에 /v2를 포함한 전체 경로를 적고 override_path = true를 설정하십시오. API가 루트에 있다면 반대로 제거하십시오.
cause-config-mirror-by-digest-only-title = 미러 규칙이 다이제스트만 처리하는데 이미지는 태그로 지정되어 있습니다
cause-config-mirror-by-digest-only-meaning = 이 규칙은 다이제스트 참조에만 적용됩니다. 태그로 지정하면 미러를 거치지 않고 원본으로 갑니다.
cause-config-mirror-by-digest-only-fix = 이미지를 다이제스트로 지정하거나, 태그용 규칙(ImageTagMirrorSet)을 사용하십시오.
cause-config-capabilities-title = host 항목에 요청에 필요한 capability가 없습니다: {$host}
cause-config-capabilities-meaning = 이 항목은 pull, resolve, push 중 일부만 허용하므로 클라이언트가 이 요청에는 사용하지 않습니다.
cause-config-capabilities-fix = host 항목에 빠진 capability를 추가하십시오: capabilities = ["pull", "resolve"]
cause-config-default-no-fallback-title = 모든 레지스트리에 적용되는 미러에 원본 레지스트리로의 폴백이 없습니다
cause-config-default-no-fallback-meaning = 모든 요청이 미러로 가며, 미러에 없는 것은 다른 곳에 요청하지 않습니다.
cause-config-default-no-fallback-fix = 원본 레지스트리를 마지막 엔드포인트로 추가하거나, 미러를 실제로 제공하는 레지스트리로 제한하십시오.
cause-config-mirror-masks-upstream-title = 여러 호스트 중 하나의 오류만 표시되어 실제 원인이 가려졌습니다
cause-config-mirror-masks-upstream-meaning = 여러 호스트를 시도했지만 오류는 하나만 보고됩니다. 나머지 호스트는 다른 이유로 실패했습니다.
cause-config-mirror-masks-upstream-fix = 호스트를 하나씩 확인하고(런타임의 디버그 로그에 모두 나옵니다) 응답했어야 할 호스트를 고치십시오.
cause-config-registries-yaml-structure-title = registries.yaml의 키가 잘못된 위치에 있습니다
cause-config-registries-yaml-structure-meaning = k3s 또는 RKE2가 파일을 읽지만, 잘못된 수준이나 이름의 키는 효과가 없습니다.
cause-config-registries-yaml-structure-fix = 구조(mirrors, configs와 그 아래의 endpoint, auth, tls)를 고치고 이 노드의 k3s 또는 RKE2 서비스를 재시작하십시오.

## runtime

cause-runtime-config-invalid-title = {$node} 노드의 런타임이 설정을 거부합니다
cause-runtime-config-invalid-meaning = 설정 오류 때문에 컨테이너 런타임 또는 이미지 풀을 담당하는 부분이 로드되지 않았습니다.
cause-runtime-config-invalid-fix = 런타임 로그에 나온 대로 설정을 고치고 재시작하십시오.

## registry

cause-registry-redirect-loop-title = 리다이렉트가 반복되어 API에 도달하지 못합니다: {$host}
cause-registry-redirect-loop-meaning = 앞단과 레지스트리가 클라이언트를 서로에게 되돌려 보냅니다(http와 https 사이 또는 호스트 사이).
cause-registry-redirect-loop-fix = 앞단이 원래 스킴과 호스트(X-Forwarded-Proto, Host)를 전달하게 하고, 레지스트리의 외부 주소를 설정하십시오.
cause-registry-bad-response-title = 레지스트리 API의 응답이 아닙니다: {$host}
cause-registry-bad-response-meaning = HTML, 다른 타입, 깨진 JSON이 돌아왔습니다. 레지스트리가 아닌 것이 응답했거나 레지스트리에 이상이 있습니다.
cause-registry-bad-response-fix = 응답 본문을 확인하십시오. 로그인 페이지, 오류 페이지, 캡티브 포털이 누가 응답했는지 알려 줍니다.
cause-registry-server-error-title = 레지스트리가 내부 오류로 응답했습니다: {$host}
cause-registry-server-error-meaning = 레지스트리가 요청을 받았지만 내부에서 실패했습니다(500 등).
cause-registry-server-error-fix = 해당 시각의 레지스트리 로그에서 스토리지, 데이터베이스, 설정을 확인하십시오.
cause-registry-unavailable-title = 레지스트리를 사용할 수 없습니다: {$host}
cause-registry-unavailable-meaning = 레지스트리 또는 앞단이 현재 서비스할 수 없다고 응답합니다(502, 503, 504).
cause-registry-unavailable-fix = 앞단 뒤에서 레지스트리 프로세스가 실행 중이고 준비 상태인지 확인하십시오.
cause-registry-unexpected-status-title = 프로토콜상 나올 수 없는 HTTP 상태 코드가 돌아왔습니다: {$host}
cause-registry-unexpected-status-meaning = 상태 코드만으로는 이유를 알 수 없습니다. 클라이언트와 레지스트리 사이의 무언가가 응답했을 수 있습니다.
cause-registry-unexpected-status-fix = 응답 본문과 Server 헤더를 보고 누가 응답했는지 확인하십시오.
cause-registry-not-a-registry-title = 응답은 하지만 레지스트리가 아닌 호스트입니다: {$host}
cause-registry-not-a-registry-meaning = 이 주소에서는 웹 서버나 다른 프로그램이 응답하며 레지스트리 API가 없습니다.
cause-registry-not-a-registry-fix = 이미지 이름의 호스트 또는 포트를 고치십시오. API가 다른 이름, 포트 또는 경로에 있을 수 있습니다.
cause-registry-head-blocked-title = GET은 통과하지만 HEAD 요청은 거부됩니다: {$host}
cause-registry-head-blocked-meaning = 레지스트리 앞의 필터가 클라이언트가 먼저 사용하는 메서드를 금지합니다.
cause-registry-head-blocked-fix = 앞단 또는 방화벽에서 GET과 함께 HEAD도 허용하십시오.
cause-registry-mirror-unhealthy-title = 미러 또는 캐시의 장애로 풀이 중단됩니다: {$host}
cause-registry-mirror-unhealthy-meaning = 미러가 이미지 대신 자체 오류로 응답하고, 클라이언트가 원본으로 넘어가지 않습니다.
cause-registry-mirror-unhealthy-fix = 미러를 복구하거나, 복구될 때까지 설정에서 제외하십시오.
cause-registry-upstream-forbidden-title = 프록시 캐시가 업스트림 레지스트리에서 거부되었습니다: {$host}
cause-registry-upstream-forbidden-meaning = 캐시의 업스트림 접근이 실패하고, 캐시가 이를 다른 표현으로 전달합니다.
cause-registry-upstream-forbidden-fix = 캐시가 업스트림에 사용하는 자격 증명 또는 허용 주소를 갱신하십시오.
cause-registry-storage-lost-title = 레지스트리의 스토리지가 사라져 푸시했던 이미지가 없습니다: {$registry}
cause-registry-storage-lost-meaning = 레지스트리가 빈 스토리지(emptyDir, 마운트되지 않은 볼륨)로 실행되어 이전에 있던 이미지가 없습니다.
cause-registry-storage-lost-fix = 레지스트리에 영구 스토리지를 연결하고 이미지를 다시 푸시하십시오.
cause-registry-body-limit-title = 앞단이 요청 본문 크기를 제한합니다: {$host}
cause-registry-body-limit-meaning = 제한을 넘는 업로드는 레지스트리에 도달하기 전에 차단됩니다(413 또는 연결 끊김).
cause-registry-body-limit-fix = 가장 바깥쪽을 포함하여 경로상의 모든 앞단에서 제한을 높이십시오(nginx: client_max_body_size 0).
cause-registry-token-realm-disabled-title = 레지스트리의 토큰 realm 또는 로그인 수단이 비활성화되어 있습니다: {$registry}
cause-registry-token-realm-disabled-meaning = 클라이언트가 사용하는 로그인 방식을 레지스트리가 받지 않습니다(Nexus의 경우 Docker Bearer Token Realm).
cause-registry-token-realm-disabled-fix = 레지스트리 관리 화면에서 realm 또는 로그인 수단을 활성화하십시오.

## rate

cause-rate-limited-title = 요청 한도를 초과했습니다: {$host}
cause-rate-limited-meaning = 레지스트리가 이 계정 또는 주소의 요청을 한동안 받지 않습니다.
cause-rate-limited-fix = 계정으로 로그인하여 풀하거나(한도가 더 높습니다) 자체 캐시를 사용하십시오. 제한 시간이 지나면 풀이 재개됩니다.

## auth

cause-auth-unauthorized-title = 레지스트리가 유효한 자격 증명을 요구합니다(401): {$registry}
cause-auth-unauthorized-meaning = 401은 자격 증명이 없거나 틀렸다는 뜻입니다. 리포지토리가 없을 때도 401로 응답하는 레지스트리가 많습니다.
cause-auth-unauthorized-fix = 어떤 자격 증명이 전송되는지(시크릿, 키, 네임스페이스), 그리고 정확히 이 이름의 리포지토리가 있는지 확인하십시오.
cause-auth-challenge-invalid-title = 인증 챌린지가 없거나 잘못되었거나 클라이언트가 모르는 방식입니다: {$host}
cause-auth-challenge-invalid-meaning = 401 응답은 로그인 방법을 알려 주어야 하는데, 내용이 없거나 클라이언트가 따를 수 없습니다.
cause-auth-challenge-invalid-fix = 앞단이 WWW-Authenticate 헤더를 그대로 전달하게 하고, 레지스트리의 인증 설정을 고치십시오.
cause-auth-no-credentials-title = 클라이언트에 {$registry} 레지스트리의 자격 증명이 없습니다
cause-auth-no-credentials-meaning = 레지스트리가 로그인을 요구하지만 클라이언트에 사용할 자격 증명이 없습니다.
cause-auth-no-credentials-fix = 이 레지스트리의 항목이 있는 풀 시크릿을 파드 또는 서비스 어카운트에 연결하십시오.
cause-auth-bad-credentials-title = {$registry} 레지스트리가 자격 증명을 거부했습니다
cause-auth-bad-credentials-meaning = 사용자 이름이나 비밀번호가 틀렸거나, 계정이 잠겼거나 삭제되었습니다.
cause-auth-bad-credentials-fix = 같은 자격 증명으로 직접 로그인하여 확인한 뒤 시크릿을 다시 만드십시오. 거부된 로그인을 반복하면 계정이 잠길 수 있습니다.
cause-auth-token-endpoint-unreachable-title = 레지스트리에는 연결되지만 토큰 서비스에 연결할 수 없습니다: {$host}
cause-auth-token-endpoint-unreachable-meaning = 레지스트리가 다른 호스트의 토큰 서비스로 안내하는데, 그 경로가 막혔거나 이름을 찾을 수 없습니다.
cause-auth-token-endpoint-unreachable-fix = 노드에서 토큰 서비스 호스트까지의 경로도 여십시오(DNS, 방화벽, 프록시, CA).
cause-auth-token-rejected-title = 토큰이 발급되지 않았거나 레지스트리가 토큰을 인정하지 않습니다: {$host}
cause-auth-token-rejected-meaning = 토큰 서비스가 오류로 응답했거나, 발급된 토큰을 레지스트리가 거부합니다.
cause-auth-token-rejected-fix = 토큰의 발급자, 대상(audience), 서명 키, 시각을 레지스트리가 기대하는 값과 비교하십시오.
cause-auth-insufficient-scope-title = 토큰에 필요한 권한이 없습니다: {$registry}
cause-auth-insufficient-scope-meaning = 로그인은 되지만 이 계정에는 이 리포지토리에 대한 권한이 없습니다.
cause-auth-insufficient-scope-fix = 계정에 리포지토리의 pull 권한을 부여하거나, 리포지토리 이름을 확인하십시오.
cause-auth-clock-skew-title = 토큰 서비스와 레지스트리의 시계가 어긋났거나 서명된 요청의 시각이 틀렸습니다: {$registry}
cause-auth-clock-skew-meaning = 토큰은 유효 시간 안에서만 유효하며, 레지스트리는 자신의 시계로 이를 판단합니다.
cause-auth-clock-skew-fix = 레지스트리와 토큰 서비스의 시계(서명된 클라우드 요청이라면 노드의 시계)를 동기화하십시오.
cause-auth-realm-misconfigured-title = 레지스트리가 잘못된 토큰 주소로 안내합니다: {$registry}
cause-auth-realm-misconfigured-meaning = 챌린지에 든 realm의 스킴, 호스트 또는 포트가 틀려 어느 클라이언트도 토큰을 받을 수 없습니다.
cause-auth-realm-misconfigured-fix = 레지스트리의 외부 주소 설정(realm, external URL)을 고치고, 앞단이 스킴과 호스트를 전달하게 하십시오.
cause-auth-oidc-session-expired-title = OIDC 사용자의 CLI 시크릿을 쓰려면 다시 로그인해야 합니다: {$registry}
cause-auth-oidc-session-expired-meaning = 레지스트리는 사용자의 OIDC 세션을 갱신할 수 있는 동안에만 이 시크릿을 인정합니다.
cause-auth-oidc-session-expired-fix = 사용자가 레지스트리 웹 화면에 다시 로그인하거나, 풀에는 로봇 계정을 사용하십시오.
cause-auth-repository-missing-as-401-title = 리포지토리가 없거나 이 계정에 보이지 않는데, 레지스트리가 이를 401 또는 403으로 응답합니다: {$registry}
cause-auth-repository-missing-as-401-meaning = 자격 증명은 정상입니다. 다른 리포지토리에는 접근됩니다. 레지스트리가 없는 리포지토리를 거부 응답으로 숨깁니다.
cause-auth-repository-missing-as-401-fix = 레지스트리의 목록과 리포지토리 이름을 대조하고, 리포지토리를 만들어 푸시하거나 계정에 접근 권한을 부여하십시오.

## authz

cause-authz-denied-title = 이 계정에는 해당 작업 권한이 없습니다: {$registry}
cause-authz-denied-meaning = 레지스트리가 계정을 확인했지만 요청을 거부했습니다(403).
cause-authz-denied-fix = 이 프로젝트 또는 리포지토리에 필요한 권한을 계정에 부여하십시오.
cause-authz-denied-or-missing-title = 접근이 거부되었거나 리포지토리가 없습니다: {$image}
cause-authz-denied-or-missing-meaning = 메시지만으로는 둘 중 어느 쪽인지 알 수 없습니다. 레지스트리가 구분해 주지 않습니다.
cause-authz-denied-or-missing-fix = 먼저 리포지토리 이름을 확인하고, 다음으로 계정의 pull 권한을 확인하십시오.
cause-authz-ip-blocked-title = 레지스트리가 클라이언트의 IP 주소를 거부합니다: {$registry}
cause-authz-ip-blocked-meaning = 레지스트리 또는 방화벽 규칙이 등록된 주소만 허용하는데, 노드의 출발지 주소가 포함되어 있지 않습니다.
cause-authz-ip-blocked-fix = 레지스트리의 허용 네트워크에 노드의 출발지 주소를 추가하거나, 프라이빗 엔드포인트를 사용하십시오.
cause-authz-blocked-by-gateway-title = 레지스트리가 아니라 앞단 또는 방화벽이 요청을 거부합니다: {$host}
cause-authz-blocked-by-gateway-meaning = 거부 응답에 레지스트리 앞단 장비의 흔적이 있습니다. 레지스트리는 요청을 받지 못했습니다.
cause-authz-blocked-by-gateway-fix = 장비 담당자에게 이 요청의 허용을 요청하십시오. 응답 헤더나 페이지에 장비 정보가 있습니다.

## manifest

cause-manifest-unknown-title = 태그 또는 다이제스트가 없습니다: {$image}
cause-manifest-unknown-meaning = 리포지토리는 있지만 이 태그 또는 다이제스트에 해당하는 이미지가 없습니다.
cause-manifest-unknown-fix = 레지스트리의 태그 목록과 대조하고, 이미지를 푸시하거나 이미지 이름을 고치십시오.
cause-manifest-invalid-title = 매니페스트를 해석할 수 없습니다: {$image}
cause-manifest-invalid-meaning = 레지스트리가 클라이언트가 읽을 수 없는 매니페스트로 응답했습니다.
cause-manifest-invalid-fix = 이미지를 다시 푸시하고, 레지스트리의 스토리지와 앞단을 점검하십시오.

## repository

cause-repository-unknown-title = 리포지토리 또는 프로젝트가 없습니다: {$image}
cause-repository-unknown-meaning = 레지스트리에 이 이름의 리포지토리가 없습니다.
cause-repository-unknown-fix = 이름(프로젝트, 경로, 철자)을 확인하고, 프로젝트를 만들거나 이미지를 푸시하십시오.

## manifest

cause-manifest-blocked-title = 레지스트리 정책이 이미지 제공을 차단합니다: {$image}
cause-manifest-blocked-meaning = 이미지는 있지만 레지스트리가 내주지 않습니다(취약점 스캔, 서명 누락, 격리).
cause-manifest-blocked-fix = 정책이 지적한 문제를 해결하거나, 레지스트리에서 이 이미지를 허용하십시오.
cause-manifest-unsupported-type-title = 클라이언트가 지원하지 않는 매니페스트 타입입니다: {$image}
cause-manifest-unsupported-type-meaning = 참조가 이 런타임이 실행할 수 없는 대상(schema 1, 아티팩트, 차트)을 가리킵니다.
cause-manifest-unsupported-type-fix = 이미지를 현재 형식(OCI 또는 Docker schema 2)으로 다시 푸시하거나, 아티팩트를 잘못 지정했다면 참조를 고치십시오.
cause-manifest-platform-missing-title = {$node} 노드의 플랫폼에 맞는 이미지가 없습니다: {$image}
cause-manifest-platform-missing-meaning = 이미지가 노드와 다른 운영 체제 또는 아키텍처용으로 빌드되었습니다.
cause-manifest-platform-missing-fix = 노드의 플랫폼용 이미지도 빌드하여 푸시하거나, 맞는 플랫폼의 노드에만 배치하십시오(nodeSelector kubernetes.io/arch).

## blob

cause-blob-unknown-title = 매니페스트가 가리키는 레이어 또는 설정 블롭이 없습니다: {$image}
cause-blob-unknown-meaning = 매니페스트는 있지만 내용 일부가 없습니다.
cause-blob-unknown-fix = 빌드한 곳에서 이미지를 다시 푸시하고, 무엇이 블롭을 삭제했는지(정리 작업, 스토리지 유실) 확인하십시오.
cause-blob-digest-mismatch-title = 받은 내용의 다이제스트가 요청한 값과 다릅니다: {$host}
cause-blob-digest-mismatch-meaning = 도착한 내용이 매니페스트와 다릅니다. 전송 중이나 스토리지에서 변경되거나 잘리거나 뒤섞였습니다.
cause-blob-digest-mismatch-fix = 캐시와 중간 장비를 거치지 않고 같은 블롭을 받아 비교하십시오. 레지스트리의 사본이 틀렸다면 이미지를 다시 푸시하십시오.
cause-blob-truncated-title = 다운로드가 끝나기 전에 연결이 종료되었습니다: {$host}
cause-blob-truncated-meaning = 레이어를 받는 도중에 연결이 닫혔습니다.
cause-blob-truncated-fix = 노드와 블롭 저장소 사이의 앞단, 프록시, 방화벽에 시간 또는 크기 제한이 있는지 확인하십시오.
cause-blob-redirect-failed-title = 블롭이 리다이렉트되는 호스트에 연결할 수 없습니다: {$host}
cause-blob-redirect-failed-meaning = 레지스트리가 다운로드를 다른 호스트(오브젝트 스토리지)로 넘기는데, 노드가 그 호스트에 연결하거나 조회하거나 신뢰하지 못합니다.
cause-blob-redirect-failed-fix = 노드에서 그 호스트까지의 경로를 열거나, 레지스트리가 블롭을 직접 제공하게 하십시오(리다이렉트 비활성화).

## storage

cause-storage-disk-full-title = {$node} 노드에 남은 디스크 공간이 없습니다
cause-storage-disk-full-meaning = 디스크 또는 아이노드가 가득 차서 레이어를 저장할 수 없습니다.
cause-storage-disk-full-fix = 사용하지 않는 이미지와 로그를 지우거나 디스크를 늘리고, kubelet의 가비지 컬렉션 임계값을 확인하십시오.
cause-storage-read-only-title = {$node} 노드의 저장소가 읽기 전용입니다
cause-storage-read-only-meaning = 파일 시스템이 읽기 전용으로 마운트되었거나 전환되어 레이어를 쓸 수 없습니다.
cause-storage-read-only-fix = 커널 로그에서 파일 시스템 오류를 확인하고, 복구한 뒤 쓰기 가능하게 마운트하십시오.
cause-storage-layer-corrupt-title = 레이어의 압축을 풀 수 없습니다: {$image}
cause-storage-layer-corrupt-meaning = 레이어의 아카이브나 압축이 깨졌거나 런타임이 모르는 형식입니다.
cause-storage-layer-corrupt-fix = 이미지를 다시 푸시하십시오. 이 노드에서만 실패한다면 노드에서 깨진 콘텐츠를 제거하십시오.
cause-storage-snapshotter-title = {$node} 노드에서 스냅샷터 또는 스토리지 드라이버가 실패했습니다
cause-storage-snapshotter-meaning = 레이어를 받았지만 스토리지 드라이버가 디스크에 준비하지 못했습니다.
cause-storage-snapshotter-fix = 런타임 로그에서 드라이버의 오류를 확인하고, 커널 모듈, 플러그인, 상태 디렉터리를 점검하십시오.

## cache

cause-cache-gc-removed-image-title = {$node} 노드에만 있던 이미지가 가비지 컬렉션으로 삭제되었습니다: {$image}
cause-cache-gc-removed-image-meaning = 어디에서도 풀할 수 없는 이미지입니다. 유일한 사본이 노드에 있었는데 공간 확보를 위해 삭제되었습니다.
cause-cache-gc-removed-image-fix = 노드가 접근할 수 있는 레지스트리에 이미지를 푸시하거나, 다시 적재하고 고정(pin)하십시오.

## push

cause-push-denied-title = 계정에 쓰기 권한이 없어 푸시가 거부되었습니다: {$image}
cause-push-denied-meaning = 이 계정에는 이 리포지토리 또는 프로젝트에 푸시할 권한이 없습니다.
cause-push-denied-fix = 계정에 쓰기 권한을 부여하거나, 권한이 있는 프로젝트로 푸시하십시오.
cause-push-upload-unknown-title = 레지스트리가 업로드 세션을 알지 못합니다: {$host}
cause-push-upload-unknown-meaning = 업로드를 시작한 복제본과 이어받은 복제본이 상태 또는 스토리지를 공유하지 않습니다.
cause-push-upload-unknown-fix = 모든 복제본이 스토리지와 시크릿(REGISTRY_HTTP_SECRET)을 공유하게 하거나, 앞단에서 세션을 고정(sticky)하십시오.
cause-push-too-large-title = 업로드 크기가 앞단의 제한을 넘습니다: {$host}
cause-push-too-large-meaning = 레지스트리 앞의 장비가 요청 크기를 거부합니다(413).
cause-push-too-large-fix = 앞단의 본문 크기 제한을 높이십시오(nginx: client_max_body_size 0, 인그레스: proxy-body-size).
cause-push-quota-title = 프로젝트의 할당량을 모두 사용했습니다: {$image}
cause-push-quota-meaning = 레지스트리가 이 프로젝트의 데이터를 더 받지 않습니다.
cause-push-quota-fix = 필요 없는 이미지를 지우고 레지스트리의 가비지 컬렉션을 실행하거나, 할당량을 늘리십시오.
cause-push-immutable-tag-title = 이미 있는 태그이며 덮어쓸 수 없습니다: {$image}
cause-push-immutable-tag-meaning = 레지스트리의 불변(immutable) 규칙이 이 태그를 보호합니다.
cause-push-immutable-tag-fix = 새 태그로 푸시하거나 규칙을 변경하십시오.
cause-push-read-only-title = 레지스트리가 쓰기를 받지 않습니다: {$registry}
cause-push-read-only-meaning = 레지스트리가 읽기 전용 모드이거나 풀스루(pull-through) 캐시입니다.
cause-push-read-only-fix = 쓰기를 받는 레지스트리로 푸시하거나, 읽기 전용 모드를 해제하십시오.
cause-push-location-scheme-title = 레지스트리가 알려 준 업로드 주소의 스킴 또는 호스트가 잘못되었습니다: {$registry}
cause-push-location-scheme-meaning = 레지스트리는 앞단이 전달한 값으로 주소를 만드는데, 그 값이 틀렸거나 없습니다.
cause-push-location-scheme-fix = 앞단이 X-Forwarded-Proto와 Host를 보내게 하거나, 레지스트리의 외부 주소를 설정하십시오.
cause-push-failed-local-only-title = 푸시가 실패하여 이미지가 빌드한 곳에만 있습니다: {$image}
cause-push-failed-local-only-meaning = 이미지가 레지스트리에 올라가지 않았고, 빌드한 머신에만 있습니다.
cause-push-failed-local-only-fix = 푸시를 막은 원인(해당 장애 항목 또는 로그 참고)을 해결한 뒤 다시 푸시하십시오.

## runtime

cause-runtime-unavailable-title = {$node} 노드의 런타임이 응답하지 않습니다
cause-runtime-unavailable-meaning = kubelet이 컨테이너 런타임 또는 그 소켓에 연결할 수 없습니다.
cause-runtime-unavailable-fix = 노드에서 런타임 서비스와 로그, kubelet에 지정된 소켓 경로를 확인하십시오.
cause-runtime-timeout-title = 풀이 클라이언트의 제한 시간을 넘었습니다: {$image}
cause-runtime-timeout-meaning = 제한 시간 안에 풀이 진행되지 않았거나 충분히 진행되지 않았습니다.
cause-runtime-timeout-fix = 느린 원인(큰 레이어, 느린 경로, 바쁜 디스크)을 확인하고, 제한 시간이 너무 짧은 것이라면 늘리십시오.
cause-runtime-cancelled-title = 풀이 취소되었습니다: {$image}
cause-runtime-cancelled-meaning = 클라이언트가 스스로 중단했습니다. 파드가 삭제되었거나, 런타임이 재시작했거나, 호출자가 사라졌습니다.
cause-runtime-cancelled-fix = 그 시점에 파드와 런타임에 무슨 일이 있었는지 확인하십시오. 다시 풀하면 될 수도 있습니다.
cause-runtime-name-reserved-title = {$node} 노드에서 이전 시도가 아직 이름을 점유하고 있습니다
cause-runtime-name-reserved-meaning = 런타임이 같은 컨테이너 또는 샌드박스를 만드는 이전 시도를 아직 처리 중입니다.
cause-runtime-name-reserved-fix = 이전 시도가 멈춘 이유(느린 디스크, 과부하)를 확인하십시오. 그 시도가 끝나거나 런타임이 재시작하면 해제됩니다.
cause-runtime-pull-conflict-title = {$node} 노드에서 같은 콘텐츠의 다른 풀과 충돌합니다
cause-runtime-pull-conflict-meaning = 같은 레이어를 받는 다른 풀이 콘텐츠 저장소를 잠그고 있습니다.
cause-runtime-pull-conflict-fix = 다른 풀이 끝나기를 기다리십시오. 진행 중인 풀이 없다면 남은 잠금을 제거하거나 런타임을 재시작하십시오.

## not-a-pull-failure

cause-not-a-pull-failure-title = 이미지 풀 장애가 아닙니다
cause-not-a-pull-failure-meaning = 이 텍스트는 이미지 풀이나 푸시의 실패를 말하고 있지 않습니다.
cause-not-a-pull-failure-fix = 텍스트가 실제로 말하는 문제를 확인하십시오. 이미지는 원인이 아닙니다.

## unknown

cause-unknown-title = 풀이 실패했지만 원인을 보여 주는 증거가 없습니다
cause-unknown-meaning = 풀이 실패했지만 가진 정보에는 이유가 없습니다(BackOff 메시지뿐이거나 이벤트가 만료됨).
cause-unknown-fix = 같은 풀의 Failed 이벤트나 kubelet 및 런타임 로그를 찾으십시오. 그곳에 오류가 있습니다.
