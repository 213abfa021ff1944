# 보고서의 문장입니다. 키는 코드의 report::Say 키이며 en.ftl과 키 및 변수가 같습니다.
# 변수 바로 뒤에는 조사를 붙이지 않고 명사를 둡니다. 이름이 "count"로 끝나는 변수만 숫자입니다.

## 알 수 없거나 풀마다 다른 사실을 대신하는 말

some-image = 해당
some-registry = 해당
some-host = 해당
some-node = 해당
some-namespace = 해당
some-subject = 해당
many-image = 여러
many-registry = 여러
many-node = 여러
kind-secret = 시크릿
kind-serviceaccount = 서비스 어카운트
kind-pod = 파드
kind-cluster = 클러스터 전체

## 어휘

stage-reference = 참조
stage-policy = 정책
stage-sandbox = 샌드박스
stage-credentials = 자격 증명
stage-dns = DNS
stage-connect = 연결
stage-tls = TLS
stage-http = HTTP
stage-token = 토큰
stage-authorization = 인가
stage-manifest = 매니페스트
stage-platform = 플랫폼
stage-blob = 블롭
stage-unpack = 압축 해제
stage-runtime = 런타임
stage-other = 기타
phase-challenge = /v2/ 첫 요청 중
phase-token = 토큰을 받는 중
phase-manifest = 매니페스트를 받는 중
phase-blob = 블롭을 받는 중
phase-sandbox = 샌드박스 이미지
phase-push = 업로드 중
operation-pull = 풀
operation-push = 푸시
operation-sandbox = 파드 샌드박스 생성
operation-start = 컨테이너 시작
confidence-confirmed = 확정
confidence-likely = 유력
confidence-possible = 가능성 있음
why-forbidden = 권한 없음
why-timed-out = 시간 초과
why-not-asked = 조회하지 않음
why-unreadable = 읽을 수 없음
why-failed = 실패
why-truncated = 일부만 읽음

## 머리말

head-hits = 영향
head-evidence = 증거
head-compare = 비교
head-ruled-out = 배제
head-possible = 다른 가능성
head-next-test = 다음 확인
head-next-step = 다음 단계
head-fix = 조치
head-undo = 되돌리기
head-verify = 검증
head-blind = 확인 못 함
head-meaning = 의미
head-about = 대상

## 개수

count-incidents = 장애 { $count }건
count-failing = 실패한 풀 { $count }건
count-pull = 풀 { $count }건
count-push = 푸시 { $count }건
count-sandbox = 샌드박스 { $count }건
count-start = 시작 { $count }건
count-pods = 파드 { $count }개
count-nodes = 노드 { $count }개
count-well = 정상 파드 { $count }개
count-causes = 실패 유형 { $count }가지
count-lines = 로그 { $count }줄
hit-images = 이미지
hit-pods = 파드
hit-nodes = 노드
hit-registries = 레지스트리
hits-truncated = 목록은 일부만 표시하며 개수는 전체입니다.
and-more = 외 { $count }개
more-in-wide = { $count }건 더 있음(-o wide)
on-node = { $node } 노드

## 보고서

nothing-fails = 실패한 이미지 풀이 없습니다
nothing-found = 실패한 이미지 풀을 찾지 못했습니다
pods-not-seen = 파드 목록을 볼 수 없어 놓친 장애가 있을 수 있습니다
scope-all-namespaces = 모든 네임스페이스
scope-namespace = 네임스페이스 { $name }
scope-target = { $name }
scope-selector = 레이블 { $name }
scope-context = 컨텍스트 { $name }
scope-saved = 저장된 입력
scope-probe = 이 머신에서 프로브
scope-demo = 데모: 프로세스 내부 레지스트리
place-line = 텍스트 { $line }번째 줄
not-reached = 도달하지 못한 단계
write-file = 파일 작성: { $path }
test-from = 실행 위치: { $vantage }
test-splits = 구분되는 원인: { $causes }
complaint = 오류

## explain

at-stage = { $stage } 단계
about-operation = 작업
about-image = 이미지
about-registry = 레지스트리
about-asked = 요청한 호스트
about-status = HTTP 상태
about-client = 클라이언트
from-to = { $first } ~ { $last }
log-without-failures = 이 로그에는 실패한 풀이나 푸시가 없습니다.

## 증거, 이유, 확인

evidence-observed = { $vantage } 관측 결과: { $cause }
evidence-words-state = 메시지 자체가 원인을 밝힙니다: { $cause }
possible-fits = 알려진 사실과 들어맞음
possible-words = 같은 메시지로 설명됨
possible-not-excluded = 배제할 근거가 없음
verify-fresh-pull = 별도의 파드에서 새로 풀하고 결과를 확인합니다.
evidence-account-ends = 계정 만료: { $name }, { $at }
evidence-account-is-known = 레지스트리에 있는 계정입니다: { $user }
evidence-account-is-spelled = 실제 계정 이름({ $meant })과 시크릿의 사용자 이름({ $user })이 다릅니다
evidence-audit = 감사 로그: { $user } 사용자가 { $object } 객체에 { $verb } 요청, { $at }
evidence-created-at = 생성 시각: { $at }
evidence-entry-serves = { $key } 항목이 { $image } 이미지에 맞습니다
evidence-entry-without-user = { $key } 항목에 사용자 이름과 비밀번호가 없습니다
evidence-event = { $object } 객체의 { $reason } 이벤트
evidence-immutable-younger = 변경할 수 없는 객체가 파드보다 늦게 다시 만들어졌습니다: { $at }
evidence-key-nearly-fits = { $key } 키는 { $registry } 레지스트리를 뜻하지만 kubelet의 비교 방식으로는 일치하지 않습니다
evidence-kubelet-cannot-retrieve = kubelet이 시크릿을 가져올 수 없다고 합니다: { $name }
evidence-list-was-patched = 누군가 이 목록을 설정했습니다
evidence-names-secret = 여기에 시크릿이 지정되어 있습니다: { $name }
evidence-no-entry-serves = { $image } 이미지에 맞는 항목이 없습니다
evidence-owned-by = 소유자: { $kind } { $name }
evidence-password-has-line-break = 비밀번호의 앞이나 뒤에 공백 또는 줄바꿈이 있습니다
evidence-pod-names-no-secret = 파드에 지정된 풀 시크릿이 없습니다
evidence-pull-secrets-misplaced = imagePullSecrets가 읽히지 않는 위치에 있습니다
evidence-registry-lists-account = 레지스트리의 계정 목록에 있습니다: { $name }
evidence-registry-says-expired = 레지스트리가 계정이 만료되었다고 알립니다: { $name }
evidence-secret-decodes = 시크릿의 내용이 올바르게 해석됩니다
evidence-secret-does-not-decode = 내용을 해석할 수 없습니다
evidence-secret-holds-user = 시크릿의 사용자 이름: { $user }
evidence-secret-in-other-namespace = { $namespace } 네임스페이스에 같은 이름의 시크릿이 있습니다: { $name }
evidence-secret-is-there = 시크릿이 있습니다: { $name }
evidence-secret-key-missing = 이 타입에 필요한 데이터 키가 없습니다. 있는 키: { $keys }
evidence-secret-listed = { $namespace } 네임스페이스의 목록에 시크릿이 있습니다: { $name }
evidence-secret-not-found-line = 명령 출력에 시크릿을 찾을 수 없다고 나옵니다: { $name }
evidence-secret-not-in-list = { $namespace } 네임스페이스의 목록에 시크릿이 없습니다: { $name }
evidence-secret-not-in-namespace = { $namespace } 네임스페이스에 시크릿이 없습니다: { $name }
evidence-secret-type-fits = kubelet이 읽는 타입입니다
evidence-secret-type-not-read = { $type } 타입은 풀 시크릿으로 읽지 않습니다
evidence-session-ended = 사용자의 세션이 끝났습니다
evidence-session-ended-of = { $user } 사용자의 세션이 끝났습니다
evidence-shell-changed-user = 이 줄에서 셸이 사용자 이름을 바꿉니다: { $user }
evidence-token-ends = 토큰 만료 { $at }, 풀 실패 { $failed }
evidence-tool-deleted = 도구가 삭제했다고 나옵니다: { $name }
evidence-tracked-by = 도구가 추적 중: { $key } = { $value }
evidence-unattached-serves = { $image } 이미지에 맞는 시크릿이 있지만 어디에도 지정되지 않았습니다: { $name }
evidence-user-is-token = { $user } 사용자는 { $hours }시간 동안 유효한 토큰을 뜻합니다
evidence-words-anonymous = 자격 증명 없이 요청했습니다
evidence-words-credentials-sent = 자격 증명을 보냈습니다
evidence-words-want-credentials = 응답이 자격 증명을 요구합니다
evidence-worked-before = 같은 자격 증명으로 { $registry } 레지스트리에 접근한 적이 있습니다
evidence-written-at = 기록 { $at }, 풀 실패 { $failed }
evidence-written-by = 마지막 기록: { $manager }, { $at }
ask-account-serves-image = 서비스 어카운트의 풀 시크릿이 이 이미지에 맞습니까?
ask-anything-serves-image = 파드가 지정한 시크릿 중 이 이미지에 맞는 것이 있습니까?
ask-credential-expired = 자격 증명이 만료되었습니까?
ask-credential-worked-before = 같은 자격 증명이 전에는 동작했습니까?
ask-credentials-sent = 자격 증명을 보냈습니까?
ask-expiry-stated = 레지스트리가 자격 증명이 만료되었다고 알립니까?
ask-key-meant-for-registry = 시크릿의 키가 이 레지스트리를 뜻하지만 표기가 다릅니까?
ask-mangling-seen = 값이 바뀐 곳이 확인됩니까?
ask-named-secrets = 지정된 풀 시크릿이 있습니까?
ask-pod-names-secrets = 파드가 직접 풀 시크릿을 지정합니까?
ask-pod-predates-secret = 파드가 변경보다 먼저 만들어졌습니까?
ask-pruning-seen = 도구가 삭제한 것이 확인됩니까?
ask-refused-for-want-of-credentials = 자격 증명이 없어 요청이 거부되었습니까?
ask-repository-there = 레지스트리에 리포지토리가 있습니까?
ask-reverted-by-controller = 컨트롤러가 객체를 되돌립니까?
ask-secret-decodes = 시크릿의 내용이 올바르게 해석됩니까?
ask-secret-elsewhere = 시크릿이 다른 네임스페이스에 있습니까?
ask-secret-exists = 파드의 네임스페이스에 시크릿이 있습니까?
ask-secret-garbage-collected = 가비지 컬렉션이 시크릿을 삭제합니까?
ask-secret-gone-for-good = 시크릿이 완전히 사라졌습니까?
ask-secret-malformed = 시크릿의 내용이 잘못되었습니까?
ask-secret-pruned = GitOps 도구가 시크릿을 삭제(prune)합니까?
ask-secret-serves-image = 시크릿에 이 이미지에 맞는 항목이 있습니까?
ask-secret-type-fits = 시크릿의 타입과 키가 kubelet이 읽는 것입니까?
ask-session-ended = OIDC 세션이 끝났습니까?
ask-session-of-user = 시크릿에 든 사용자의 세션입니까?
ask-unattached-secret-serves = 맞는 시크릿이 있지만 어디에도 지정되지 않았습니까?
ask-user-mangled = 시크릿의 사용자 이름이 실제 계정과 다릅니까?
ask-words-state-it = 메시지 자체가 원인을 밝힙니까?
ask-words-state-a-rate-limit = 메시지가 요청 한도를 말합니까?

## 조치

remedy-attach-secret = 서비스 어카운트({ $account })에 시크릿을 지정합니다: { $name }
remedy-copy-secret = { $from } 네임스페이스의 시크릿을 { $namespace } 네임스페이스로 복사합니다: { $name }
remedy-create-secret = { $namespace } 네임스페이스에 시크릿을 만듭니다: { $name }
remedy-keep-from-pruning = 시크릿이 삭제(prune)되지 않게 합니다: { $name }
remedy-mend-at-source = 컨트롤러가 읽는 원본을 고칩니다
remedy-name-both-lists = 파드 템플릿에 다음 시크릿을 모두 지정합니다: { $names }
remedy-recreate-secret = 시크릿을 다시 만듭니다: { $name }
remedy-rekey-secret = { $server } 레지스트리용으로 시크릿을 다시 만듭니다: { $name }
remedy-remake-pod = 파드를 다시 만듭니다: { $pod }
remedy-renew-credential = { $registry } 레지스트리의 자격 증명을 갱신합니다
remedy-retype-secret = kubelet이 읽는 타입으로 시크릿을 다시 만듭니다: { $name }
remedy-robot-account = 풀에는 { $registry } 레지스트리의 로봇 계정을 사용합니다
ask-generator-drops-marks = 시크릿을 만드는 쪽에서 도구의 레이블과 어노테이션을 빼십시오: { $name }
ask-make-robot-account = { $registry } 레지스트리에 pull 권한이 있는 로봇 계정을 만드십시오.
ask-mend-in-controllers-source = 컨트롤러가 읽는 원본에서 객체를 고치십시오: { $object }
ask-renew-automatically = 만료 전에 자동으로 갱신되게 하십시오(자격 증명 공급자 또는 컨트롤러).
scope-controller-of-object = 컨트롤러가 만드는 모든 객체({ $object })
scope-new-pods-of-account = 서비스 어카운트({ $namespace }/{ $account })를 쓰는 새 파드
scope-one-pod = { $pod } 파드
scope-pods-naming-secret = { $namespace } 네임스페이스에서 시크릿({ $name })을 지정한 파드
scope-workload-of-pod = { $pod } 파드의 워크로드
risk-controller-writes-all-its-copies = 컨트롤러가 모든 사본을 다시 씁니다
risk-copy-has-no-owner = 사본을 최신으로 유지하는 주체가 없습니다
risk-none-running-pods = 실행 중인 파드에는 영향이 없습니다
risk-other-entries-are-lost = 시크릿의 다른 항목은 다시 넣지 않으면 사라집니다
risk-owner-makes-it-again = 시크릿을 만든 주체가 다시 만들 수 있습니다
risk-pod-restarts = 파드가 새로 시작됩니다
risk-rollout = 워크로드가 롤아웃됩니다
risk-tool-no-longer-prunes = 도구가 더는 이 시크릿을 삭제하지 않습니다

## 그 밖의 증거, 질문, 조치

evidence-account-names = 서비스 어카운트에 풀 시크릿이 지정되어 있습니다
evidence-account-names-none = 서비스 어카운트에 지정된 풀 시크릿이 없습니다
evidence-account-serves-not = 서비스 어카운트의 풀 시크릿 중 이 이미지에 맞는 것이 없습니다
evidence-entry-is-for-mirror = 항목은 { $host } 호스트용인데 이미지는 다른 레지스트리의 것입니다: { $image }
evidence-mirror-refused = { $host } 호스트가 요청을 거부했습니다
evidence-pod-names = 파드에도 같은 풀 시크릿이 지정되어 있습니다
evidence-provider-covers = { $provider } 공급자의 설정에 이 이미지가 포함됩니다: { $image }
evidence-provider-covers-not = { $provider } 공급자의 설정에 이 이미지가 포함되지 않습니다: { $image }
evidence-provider-failed = kubelet 로그에 자격 증명 공급자가 실패했다고 나옵니다
evidence-provider-refused = kubelet 로그에 자격 증명 공급자가 거부되었다고 나옵니다
evidence-runtime-credentials-elsewhere = 런타임 자체의 자격 증명은 { $host } 호스트에 있는데 요청은 다른 호스트로 갑니다: { $asked }
evidence-runtime-credentials-fit = 런타임 자체의 자격 증명이 요청하는 호스트에 있습니다: { $asked }
evidence-static-pod = 스태틱 파드는 서비스 어카운트의 풀 시크릿을 받지 않습니다
ask-mirror-credentials-unused = 거부한 미러용 항목이 파드에 있지만 이미지 이름으로는 선택되지 않습니까?
ask-provider-covers-image = kubelet의 자격 증명 공급자가 이 이미지에 대해 동작합니까?
ask-provider-failed = 이번에 자격 증명 공급자가 실패했습니까?
ask-provider-fault-seen = 공급자의 결함이 직접 확인됩니까?
ask-runtime-credentials-fit = 런타임 자체의 자격 증명이 요청하는 호스트에 있습니까?
ask-add-mirror-to-node-pull-secret = 노드가 사용하는 풀 시크릿에 미러 항목을 추가하십시오: { $mirror }
ask-provider-pattern-or-right = { $registry } 레지스트리에 대한 공급자의 matchImages, 바이너리 또는 노드 권한을 고치십시오.
ask-put-file-back = 이전 파일로 되돌리십시오.
ask-rename-runtime-table = { $file } 파일에서 자격 증명을 { $host } 호스트 아래로 옮기십시오.
remedy-mend-provider = 자격 증명 공급자가 { $registry } 레지스트리에 응답하게 합니다
remedy-node-credentials-for-mirror = 런타임이 읽는 위치에 미러의 자격 증명을 둡니다: { $mirror }
remedy-rename-runtime-credentials = 런타임의 자격 증명을 { $host } 호스트 아래로 옮깁니다
risk-credential-for-all-pods = 노드의 모든 파드가 이 자격 증명으로 풀할 수 있습니다
risk-kubelet-restarts = kubelet이 재시작되지만 실행 중인 파드는 유지됩니다
risk-runtime-restarts = 런타임이 재시작되지만 실행 중인 컨테이너는 유지됩니다
scope-one-node-first = 먼저 { $node } 노드 하나, 그다음 나머지 노드
