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
