# 노드 설정과 레지스트리까지의 경로에서 관측된 사실을 나타내는 문장입니다. en-node.ftl과 키 및 변수가 같습니다.

## 질문

ask-config-fault = 노드 설정에 이 이미지와 관련된 결함이 있습니까?
ask-config-decides = 수집된 사실만으로 다른 해석이 배제됩니까?

## 증거

evidence-asked-by-hand = 직접 요청한 결과: { $url } 응답 { $answer }
evidence-answers-with-this-ca = 이 인증서를 지정하면 레지스트리가 응답합니다
evidence-capability-lacking = { $host } 호스트에 허용된 기능은 { $has } 뿐이며, 요청에는 { $lacks } 기능이 필요합니다
evidence-catch-all-without-way-back = 모든 요청이 { $host } 호스트로 보내지고, 그 뒤에 { $registry } 레지스트리는 조회되지 않습니다
evidence-config-dumped = 런타임이 출력한, 현재 적용된 설정입니다
evidence-config-path-elsewhere = 호스트 디렉터리를 찾는 위치: { $value }
evidence-config-read = 런타임이 읽는 파일: { $file }
evidence-config-refused = 런타임이 설정을 거부합니다: { $error }
evidence-directory-name-not-looked-for = { $dir } 디렉터리는 { $registry } 레지스트리에 대해 찾는 이름이 아닙니다
evidence-endpoint-address = 풀 요청이 보내진 주소: { $url }
evidence-endpoint-met = 런타임이 { $host } 호스트에서 받은 결과
evidence-file-changed = { $file } 파일이 마지막으로 변경된 시각
evidence-file-dropped = 런타임이 파일 전체를 무시합니다: { $reason }
evidence-setting-read-nowhere = 이 줄은 런타임이 읽지 않는 자리에 있어 어떤 호스트에도 적용되지 않습니다
evidence-file-name-not-read = 이 이름의 파일은 읽히지 않습니다: { $file }
evidence-server-in-host-table = 이 줄은 host 테이블 아래에 있어 읽히지 않습니다. { $url }에는 요청이 가지 않습니다
evidence-file-named-on-command-line = 프로세스가 별도의 설정 파일을 지정해 시작되었습니다
evidence-file-not-imported = 설정은 이 파일에 있지만, 읽히는 파일 가운데 이것을 가져오는(import) 파일이 없습니다: { $file }
evidence-file-not-read = { $file } 파일은 읽히지 않으며, 읽히는 파일은 { $read } 입니다
evidence-file-refused = 파일이 거부됩니다: { $reason }
evidence-file-would-help = 도움이 될 파일이지만 읽히지 않습니다: { $file }
evidence-image-under-other-path = 미러에 요청하는 경로는 { $asked } 이고, 이미지가 있는 경로는 { $there } 입니다
evidence-key-for-other-registry = 항목의 키는 { $key } 이고, 이미지의 레지스트리는 { $registry } 입니다
evidence-settings-of-upstream = 이 설정은 { $key } 키 아래에 있지만, 실제로 요청을 받는 호스트 이름으로만 찾습니다: { $host }
evidence-key-not-read = 이 키를 읽는 곳이 없습니다: { $key }
evidence-lacks-it = 이 노드의 { $file } 파일에는 그 내용이 없습니다
evidence-list-as-one-directory = 사용 중인 풀 경로는 이 목록을 하나의 디렉터리로 간주합니다: { $value }
evidence-no-config-path = { $file } 파일에 디렉터리가 지정되어 있지 않습니다
evidence-no-key-for-peers = mirrors 아래에 { $registry } 키가 없어 노드끼리 이 레지스트리의 이미지를 나누지 않습니다
evidence-not-among-saved = 저장된 이 노드의 파일 가운데 { $beside } 파일은 있지만 { $file } 파일은 없습니다
evidence-not-there = { $file } 파일이 없습니다
evidence-other-directory-taken = 다른 디렉터리가 먼저 선택됩니다: { $dir }
evidence-other-machine-has = { $machine } 머신에는 { $file } 파일이 있습니다
evidence-path-doubled = 요청 주소는 { $url } 이며, /v2 부분이 두 번 들어 있습니다
evidence-path-not-api = 요청 주소는 { $url } 이며, 레지스트리 API 밖에 있습니다
evidence-peers-give-images = 내장 레지스트리가 켜져 있어 노드끼리 이미지를 나눕니다
evidence-process-started = 런타임이 시작된 시각
evidence-running-config = 실행 중인 프로세스가 보고한 디렉터리: "{ $value }"
evidence-taken-for-client-certificate = 클라이언트가 { $file } 파일을 클라이언트 인증서로 보고 그 키를 찾지 못합니다
evidence-runtime-refuses-config = 런타임 로그에 설정을 거부했다는 내용이 있습니다
evidence-runtime-dropped-file = 런타임 로그에도 같은 내용이 있습니다
evidence-section-not-read = { $section } 섹션은 현재 파일 버전에서 읽히지 않습니다: { $versions }
evidence-section-replaced = 이 섹션이 앞선 섹션 전체를 대체합니다
evidence-several-endpoints = 여러 엔드포인트({ $hosts })에 요청했으나 { $shown } 호스트의 오류만 표시됩니다
evidence-tls-table-not-read = 이 표의 TLS 설정은 더 이상 읽히지 않습니다: { $host }

## 조치

remedy-capability = { $file } 파일에서 엔드포인트에 { $capability } 기능을 추가합니다
remedy-copy-file = { $machine } 머신의 { $file } 파일을 복사합니다
remedy-endpoint-address = { $url } 주소를 바로잡습니다
remedy-key = 항목의 키 { $from } 대신 { $to } 키를 사용합니다
remedy-mend-file = { $file } 파일을 바로잡습니다
remedy-mend-source-of-generated = { $file } 파일의 생성 원본을 바로잡습니다
remedy-mirror-path = { $host } 호스트에 요청하는 경로를 바로잡습니다
remedy-mirrors-or-path = { $file } 파일에 mirrors 또는 config_path 중 하나만 남깁니다
remedy-move-directory = { $from } 디렉터리를 런타임이 찾는 위치로 옮깁니다: { $to }
remedy-move-file = { $from } 파일을 읽히는 위치로 옮깁니다: { $to }
remedy-move-section = { $from } 섹션의 설정을 { $to } 섹션으로 옮깁니다
remedy-registries-yaml = { $file } 파일의 키를 바로잡습니다
remedy-rename-directory = { $from } 디렉터리의 이름을 { $to } 이름으로 바꿉니다
remedy-restart-runtime = { $service } 서비스를 다시 시작하여 현재 설정을 읽게 합니다
remedy-set-config-path = { $file } 파일의 config_path를 하나의 디렉터리로 지정합니다: { $dir }
remedy-way-back = { $registry } 레지스트리로 가는 경로를 남겨 둡니다
remedy-write-hosts-toml = { $file } 파일에 설정을 기록합니다

## 단계, 범위, 위험

step-capabilities = { $line }번 줄: capabilities = ["pull", "resolve"]
step-endpoint-address = { $line }번 줄의 스킴, 호스트, 포트를 바로잡으십시오.
step-kept-until-start = { $name } 노드에서는 시작할 때마다 { $path } 내용이 다시 생성됩니다. 변경을 유지하려면 다음 위치에서 변경하십시오: { $change }
step-kept-until-replaced = { $name } 노드가 교체되거나 업그레이드되면 { $path } 아래의 변경이 사라집니다. 변경을 유지하려면 다음 위치에서 변경하십시오: { $change }
step-kept-put-back = { $name } 클러스터가 { $path } 내용을 관리하므로 변경이 되돌려지거나 노드가 성능 저하(degraded) 상태가 됩니다. 다음 위치에서 변경하십시오: { $change }
step-kept-read-only = { $name } 노드에서는 { $path } 아래를 변경할 수 없습니다. 다음 위치에서 변경하십시오: { $change }
step-key = { $line }번 줄의 키를 포트까지 포함하여 "{ $key }" 값으로 쓰십시오.
step-mend-registries-yaml = registries.yaml을 바로잡으십시오. 호스트마다 mirrors 항목을 두고 각 엔드포인트는 한 번만 적으십시오.
step-mirror-path = { $line }번 줄에서 { $host } 호스트의 엔드포인트에 이 리포지터리를 제공하는 API 경로(/v2/PROJECT)를 지정하거나 rewrite 규칙을 사용하십시오.
step-move-mirrors-to-hosts-toml = 미러를 hosts.toml 파일로 옮기고 { $line }번 줄의 표를 제거하십시오.
step-override-path = { $line }번 줄 아래에 추가하십시오: override_path = true
step-section-and-version = 파일 맨 위에 version = { $version } 값을 쓰고, 레지스트리 설정은 [plugins."{ $section }".registry] 아래에 두십시오.
step-way-back = { $registry } 항목에서 미러 뒤에 레지스트리 자체를 추가하십시오: { $url }
risk-runtime-restart = 런타임이 다시 시작되며, 실행 중인 컨테이너는 계속 실행됩니다
evidence-mirror-for-digests-only = { $mirror } 미러에는 다이제스트만 요청되며, { $image } 이미지는 태그로 지정되어 있습니다
remedy-mirror-for-tags = 이미지를 다이제스트로 지정하거나 미러가 태그를 제공하게 합니다 ({ $file })
step-name-by-digest = 워크로드에서 { $image } 이미지를 다이제스트로 지정하십시오.
step-mirror-for-tags = 또는 { $line }번 줄에서 미러가 태그를 제공하게 하십시오. OpenShift에서는 ImageTagMirrorSet을, 그 밖에는 mirror-by-digest-only = false 값을 사용합니다.
evidence-roots-verify-now = 현재 노드에 있는 루트 인증서로는 { $host } 검증에 성공합니다
