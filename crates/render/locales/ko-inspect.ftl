# `pullproof node`가 한 노드에 대해 보여 주는 문장입니다. en-inspect.ftl과 키 및 변수가 같습니다.

## 제목과 행

head-node-runtime = 런타임
head-node-machine = 시스템
head-node-endpoints = 엔드포인트
head-node-errors = 실패 사유
head-node-findings = 점검 결과
head-node-pull = 풀
head-node-clients = 클라이언트
level-error = 오류
level-warning = 경고
level-note = 참고
node-no-runtime = 살펴볼 수 있는 런타임이 없습니다
node-state-ok = { $runtime }
node-state-daemon-fails = { $runtime }: 이 파일들로는 데몬이 시작되지 않습니다
node-state-cri-not-loaded = { $runtime }: 이 파일들로는 CRI 이미지 서비스가 로드되지 않습니다
node-row-distribution = 배포판
node-row-kept = 자동 생성 파일
node-row-change = 유지되는 변경
kept-until-start = { $path }: 시작할 때마다 다시 생성됩니다
kept-until-replaced = { $path }: 노드가 교체되거나 업그레이드되면 사라집니다
kept-put-back = { $path }: 클러스터가 되돌리거나 노드가 성능 저하(degraded) 상태가 됩니다
kept-read-only = { $path }: 노드에서 변경할 수 없습니다
node-row-pull-path = 풀 경로
node-row-files = 파일
node-row-config-path = config_path
node-row-mirrors = 미러
node-row-hosts = 호스트 테이블
node-row-sandbox = pause 이미지
node-row-process = 프로세스
node-row-proxy = 프록시
node-row-cri = 소켓
node-row-condition = 상태
node-row-other = 그 밖의 런타임
node-row-dns = 이름 서버
node-row-lookup = 이름 조회
node-lookup = { $host }: 런타임의 조회 순서는 { $go }, curl 등 C 라이브러리 프로그램의 조회 순서는 { $glibc }
node-row-hosts-file = hosts 파일
node-row-route = 기본 경로
node-row-clock = 시계
node-row-store = 이미지 저장소
node-row-kubelet = kubelet
node-row-provider = 자격 증명 플러그인
node-row-records = 풀 기록
node-none = 없음
node-unnamed = 이 노드
node-files-unread = 읽을 수 있는 파일 없음
node-assumed = 확실하지 않습니다. 읽지 못한 파일의 내용에 따라 다를 수 있습니다: { $files }
node-no-files = 없음, 내장 기본값이 적용됩니다
node-pull-path-local = { $because ->
    [none] local: containerd 자체 클라이언트
   *[other] local: containerd 자체 클라이언트 ({ $because } 설정 때문)
}
node-pull-path-transfer = transfer: 전송 서비스
node-pull-path-image-store = image-store: Docker Engine 안의 containerd 저장소
node-pull-path-graphdriver = graphdriver: Docker Engine 자체 저장소
node-process = { $pid }, 시작 { $started }
node-proxy-none-set = 설정된 프록시 없음
node-cri-answers = 응답함
node-cri-no-cri = 응답하지만 CRI 서비스가 없음
node-cri-silent = 응답 없음
node-cri-refused = 조회할 수 없음
node-images = 이미지 { $count }개
node-clock-kept = 동기화됨
node-clock-free = 동기화되지 않음
node-clock-bound = 동기화됨. 시간 서비스 기준 오차 최대 { $ms } ms
node-records = 받은 이미지 { $pulled }개, 받는 중 { $pulling }개
node-record-for-all = { $image }: 이 노드의 모든 파드가 쓸 수 있습니다
node-record-for = { $image }: { $who } 자격 증명으로 받은 이미지. 다른 자격 증명을 쓰는 파드는 다시 풀해야 합니다
node-store = { $path }: { $all } GiB 중 { $free } GiB 사용 가능
node-asked-for = 이미지 { $image }, 조회 이름 { $registry }, 호스트 디렉터리: { $dir }
node-image-present = kubelet이 볼 수 있는 이 이미지가 노드에 있습니다
node-image-absent = kubelet이 볼 수 있는 이 이미지가 노드에 없습니다
node-endpoint-repository = 요청에 쓰이는 이름: { $name }
node-endpoint-may = 허용 기능: { $list }
node-endpoint-system-roots = 시스템 인증서로 검증
node-endpoint-ca = 시스템 인증서와 { $files } 파일로 검증
node-endpoint-unverified = 검증하지 않음: 중간에 있는 누구나 대신 응답할 수 있습니다
node-endpoint-plain = TLS 없음: 중간에 있는 누구나 대신 응답할 수 있습니다
node-endpoint-fallback = HTTPS를 먼저 시도하고, 그다음 평문 HTTP
node-endpoint-client = 클라이언트 인증서 { $cert }, 키 { $key }
node-endpoint-proxy = 프록시 { $proxy } 경유 ({ $because })
node-endpoint-direct = 직접 연결 ({ $because })
node-endpoint-credential = 노드의 자격 증명: 사용자 { $user }, 키 { $key }, 출처 { $from }
node-defect = 알려진 업스트림 결함: { $reference }
node-pull-announced = { $user ->
    [none] 런타임 소켓 { $socket } 앞으로 자격 증명 없이 { $image } 풀을 요청합니다. 받은 이미지는 이 노드에 남습니다
   *[other] 런타임 소켓 { $socket } 앞으로 { $user } 사용자의 자격 증명으로 { $image } 풀을 요청합니다. 받은 이미지는 이 노드에 남습니다
    }
node-pull-pulled = { $user ->
    [none] 런타임이 자격 증명 없이 { $seconds }초 만에 이미지를 받았습니다: { $image }
   *[other] 런타임이 { $user } 사용자의 자격 증명으로 { $seconds }초 만에 이미지를 받았습니다: { $image }
    }
node-pull-failed = { $user ->
    [none] 자격 증명 없이 요청한 지 { $seconds }초 뒤 런타임의 응답:
   *[other] { $user } 사용자의 자격 증명으로 요청한 지 { $seconds }초 뒤 런타임의 응답:
    }
node-pull-no-answer = 런타임이 { $seconds }초 안에 응답하지 않았습니다. 요청과 함께 풀도 끝났습니다
node-pull-not-asked = 런타임에 요청할 수 없었습니다:
client-same = { $name }({ $path }): 런타임과 같습니다
client-differs = { $name }({ $path }): 런타임과 다르게 동작합니다
client-difference = { $what }: { $client } / 런타임: { $runtime }
client-what-endpoints = 요청 대상
client-what-trust = 신뢰하는 인증서
client-what-proxy = 경로
client-what-credentials = 로그인
client-what-store = 이미지 저장 위치
client-urls = { $value }
client-system = 시스템 인증서
client-system-and = 시스템 인증서와 { $value }
client-unverified = 모든 인증서(검증하지 않음)
client-proxy = 프록시 { $value } 경유
client-direct = 직접 연결
client-unknown = 알 수 없음
client-kubelet = kubelet이 넘겨주는 것: 풀 시크릿, 노드 자체의 파일과 플러그인
client-given = { $value } 옵션으로 준 것만 사용
client-logins = { $value } 파일의 로그인 정보
client-namespace = containerd 네임스페이스 { $value }
client-docker-store = Docker Engine의 저장소
client-containers-store = containers-storage
client-no-store = 저장하지 않음

## 점검 결과

lint-instead = 의도한 값은 아마도 { $instead } 입니다
lint-daemon-fails = 데몬이 시작되지 않습니다: { $error }
lint-cri-not-loaded = CRI 이미지 서비스가 로드되지 않아 kubelet이 사용할 런타임이 없습니다: { $error }
lint-file-dropped = 파일 전체가 무시되며, 로그에만 기록됩니다: { $reason }
lint-path-list-as-one-directory = 사용 중인 풀 경로는 이 목록을 하나의 디렉터리로 간주하므로, 아무것도 찾지 못하고 hosts.toml을 사용하지 않습니다: { $value }
lint-section-not-read = 이 버전은 이 파일 버전에서 { $section } 섹션을 읽지 않습니다
lint-section-replaced = 이 섹션이 앞의 섹션 전체를 대체하며, { $lost } 위치의 설정은 사라집니다
lint-key-not-read = 이 위치의 { $key } 키를 읽는 곳이 없습니다
lint-lost-in-migration = 테이블에 runtimes가 없어, 파일을 변환할 때 { $key } 키가 사라집니다
lint-transfer-config-path = 전송 플러그인의 config_path를 읽는 곳이 없습니다
lint-tls-table-not-read = containerd 2는 이 테이블을 읽지 않습니다: { $host } 호스트의 TLS 설정이 적용되지 않습니다
lint-directory-never-matches-scheme = { $name } 디렉터리로 이어지는 이미지가 없습니다: 이름에 스킴이 들어갈 수 없습니다
lint-directory-never-matches-hub = Docker Hub 이미지는 { $name } 이름으로 조회되지 않습니다
lint-directory-never-matches-no-host = { $name } 디렉터리로 이어지는 이미지가 없습니다: 레지스트리 이름에는 점이나 포트가 있거나 localhost여야 합니다
lint-directory-never-matches-form = { $name } 디렉터리로 이어지는 이미지가 없습니다: 레지스트리 이름의 형식이 아닙니다
lint-directory-shadowed = { $dir } 디렉터리는 사용되지 않습니다: { $by } 디렉터리가 먼저 선택됩니다
lint-hosts-file-misplaced = 이 위치의 파일은 읽히지 않습니다: 레지스트리 이름의 디렉터리 안에 hosts.toml로 두어야 합니다
lint-certificate-not-used = 같은 위치의 hosts.toml에 { $file } 파일이 지정되어 있지 않아 사용되지 않습니다
lint-unknown-key = 이 파일에는 { $key } 키가 없으므로 무시됩니다
lint-key-in-host-table = { $key } 키가 호스트 테이블 아래에 있어 그 테이블에 속합니다. 첫 테이블 위에 적으십시오
lint-path-doubled = { $url } 주소의 경로 끝에 /v2가 한 번 더 붙습니다. override_path = true를 지정하면 그대로 사용됩니다
lint-address-unusable = { $url } 주소는 사용할 수 없습니다: 호스트 앞에 소문자로 https:// 를 적으십시오
lint-server-without-api = { $url } 주소는 레지스트리 API를 제공하지 않습니다
lint-ca-not-for-server = { $host } 호스트는 마지막에 이 CA 없이 다시 요청됩니다: 호스트 테이블의 옵션은 server에 적용되지 않습니다
lint-ca-missing = CA 파일이 없습니다({ $file }): 여기에 이르는 모든 풀이 첫 요청 전에 실패합니다
lint-ca-not-pem = { $file } 파일에 PEM 인증서가 없습니다: 여기에 이르는 모든 풀이 첫 요청 전에 실패합니다
lint-ca-not-pem-skipped = { $file } 파일에 PEM 인증서가 없어 아무 표시 없이 무시됩니다
lint-policy-missing = policy.json이 없으면 모든 풀이 거부됩니다
lint-ca-leaf-only = { $file } 파일에는 서버 인증서({ $subject })만 있습니다: 갱신될 때까지 그 인증서만 신뢰됩니다
lint-ca-intermediate-only = { $file } 파일에는 루트 없이 중간 인증서({ $subject })만 있습니다: Go에는 충분하지만 OpenSSL에는 부족합니다
lint-client-unusable = 클라이언트 인증서를 불러올 수 없습니다: { $error }
lint-skip-verify = { $host } 호스트의 인증서를 검증하지 않습니다: 중간에 있는 누구나 대신 응답할 수 있습니다
lint-plain-http = { $host } 호스트에 TLS 없이 요청합니다: 중간에 있는 누구나 대신 응답할 수 있습니다
lint-login-never-sent = 이름 { $host } 아래에서 조회되는 엔드포인트가 없어 이 로그인은 전송되지 않습니다. 호스트와 포트만 적어야 합니다
lint-login-unusable = 호스트 { $host } 항목의 이 로그인은 전송되지 않습니다. 비밀번호가 없거나, auth가 user:password의 base64가 아닙니다
lint-made-at-start = 에이전트가 이 파일로 만드는 설정이 여기에 없습니다. 다음 시작 때 만들어질 내용을 보여 줍니다
lint-files-disagree = { $what }: { $other } 위치에는 다르게 적혀 있으며, 여기에 적힌 값이 적용됩니다
lint-syntax = 파일을 읽을 수 없습니다: { $error }
lint-newer-than-process = 시작할 때만 이 파일을 읽는 프로세스의 시작({ $started }) 뒤에 변경되었습니다(변경 { $changed }): 재시작 전에는 적용되지 않습니다
lint-environment-not-in-force = { $name } 변수가 여기에 설정되어 있지만 실행 중인 프로세스의 값과 다릅니다: daemon-reload 및 재시작이 필요합니다
lint-plugin-missing = 자격 증명 플러그인의 프로그램이 없습니다: { $file }. 이 프로그램이 없으면 kubelet이 시작되지 않습니다
lint-running-config-differs = 실행 중인 프로세스의 config_path가 다릅니다: "{ $value }"
lint-running-without-cri = 실행 중인 데몬에 CRI 서비스가 없습니다: 시작할 때 플러그인이 로드되지 않았습니다
lint-program-replaced = 프로세스가 시작된 뒤 디스크의 프로그램이 교체되었습니다
lint-image-invisible = 이미지가 containerd의 { $namespaces } 네임스페이스에 있어 kubelet에 보이지 않습니다
lint-store-full = { $what ->
    [inodes] 이미지 저장소의 inode 중 { $free } 남음
   *[other] 이미지 저장소의 공간 중 { $free } 남음
}

## 노드 간 비교

compare-same = 노드 { $count }개가 풀에 영향을 주는 점에서 서로 다르지 않습니다
compare-differs = 노드 { $count }개가 서로 다릅니다
compare-several-images = 보고서의 이미지가 여러 가지여서 엔드포인트는 비교하지 않습니다
compare-more = 외 { $count }개
compare-runtime = 런타임
compare-state = 파일의 상태
compare-pull-path = 풀 경로
compare-config-path = config_path
compare-mirrors = 미러
compare-host-dir = 호스트 디렉터리
compare-endpoints = 엔드포인트
compare-capabilities = 허용 기능
compare-trust = 신뢰하는 인증서
compare-client = 클라이언트 인증서
compare-proxy = 프록시
compare-credentials = 노드의 자격 증명
compare-image = 이미지
compare-errors = 실패 사유
compare-findings = 점검 결과
compare-name-servers = 이름 서버
compare-search = 검색 도메인
compare-hosts-file = hosts 파일
compare-routes = 기본 경로
compare-clock = 시계
compare-headers = 헤더
compare-pull = 런타임의 풀
compare-system-roots = 시스템 인증서
compare-resolver-options = 리졸버 옵션
compare-lookup-order = 이름 조회 순서
compare-route = 주소 { $about } 쪽으로 가는 경로
compare-dns-answers = 이름 { $about } 조회 결과
compare-certificate = 호스트 { $about } 인증서
compare-clock-offset = 호스트 { $about } 시계와 비교한 시계
compare-end = 호스트 { $about } 쪽으로 가다가 끝난 곳
