# 프로브가 단계마다 본 것과, 사다리를 나란히 놓고 보면 드러나는 것입니다.

## 프로브의 사다리를 나란히 놓고 보면 드러나는 것

evidence-refused-here = { $image } 이미지는 거부됩니다
evidence-control-passes = 같은 레지스트리의 { $image } 이미지는 같은 자격 증명으로 통과합니다. 자격 증명은 올바릅니다
evidence-token-grants = 토큰 서비스가 자격 증명을 받아들였고, 발급된 토큰은 풀을 허용합니다
evidence-bare-challenge = 레지스트리가 Authorization 헤더를 받지 못한 것처럼 답합니다. 오류를 알리지 않고 다시 로그인을 요구합니다
evidence-token-not-yet = 토큰의 유효 기간이 레지스트리 시각보다 { $seconds } 초 뒤에 시작됩니다
evidence-token-over = 토큰의 유효 기간이 레지스트리 시각보다 { $seconds } 초 전에 끝났습니다
evidence-token-refused-by-registry = 레지스트리가 토큰을 거부합니다

## 단계마다 본 것

climb-endpoint-holds = { $vantage } 기준, { $url }: 이미지를 받을 수 있습니다
climb-endpoint-ends = { $vantage } 기준, { $url }: 이미지를 받을 수 없습니다
rung-reference = 저장소 { $repository }, 레지스트리 { $host }, { $reference }
rung-credentials = { $user }, 출처: { $source }
rung-credentials-none = 없음: 로그인하지 않고 요청합니다
rung-dns = { $addresses }, 응답한 DNS 서버: { $resolver }
rung-dns-file = { $addresses }, hosts 파일에서 찾음
rung-dns-differ = { $addresses }, DNS 서버({ $resolver })마다 응답이 다릅니다
rung-dns-failed = { $answers }
rung-dns-differ-failed = DNS 서버마다 응답이 다릅니다: { $answers }
rung-dns-by-proxy = 프록시가 조회합니다
rung-connect = { $peer }
rung-connect-some = { $peer }, 연결되지 않은 주소: { $failed }
rung-connect-failed = { $failed }
rung-connect-proxy = 프록시 { $proxy } 경유({ $variable })
rung-proxy-answers = { $proxy } 응답: { $status }
rung-tls = { $version }, { $subject }, 발급자 { $issuer }, 만료 { $until }{ $product ->
        [none] {""}
       *[other] , 중간에 { $product } 장비가 있습니다
    }
rung-tls-failed = { $subject }, 발급자 { $issuer }, 만료 { $until }{ $product ->
        [none] {""}
       *[other] , 중간에 { $product } 장비가 있습니다
    }
rung-tls-unverified = 설정에 따라 검증 없이 받아들임. 검증했다면 거부될 이유: { $why }
rung-tls-plain = 없음: 평문 HTTP
rung-http = { $status }{ $scheme ->
        [none] , 로그인을 요구하지 않음
       *[other] , { $scheme } 인증 요구
    }{ $product ->
        [none] {""}
       *[other] , 제품 추정: { $product }
    }{ $clock ->
        [none] {""}
       *[other] , 시계 차이 { $clock }초
    }
rung-answer = { $request }: { $status }
rung-token = 허용 범위 { $grants }{ $until ->
        [none] {""}
       *[other] , 만료 { $until }
    }
rung-token-grants-nothing = 아무 권한도 없는 토큰
rung-token-opaque = 레지스트리만 읽을 수 있는 토큰
rung-token-basic = 필요 없음: 비밀번호를 레지스트리에 직접 보냅니다
rung-authorization = { $scheme } 인증 통과
rung-authorization-open = 로그인 없이 통과
rung-manifest = { $kind }, { $size }바이트, { $digest }
rung-platform = { $platform } 이미지 있음
rung-blob = { $count ->
   *[other] 블롭 { $count }개, { $bytes }바이트 읽음
}
rung-skipped = 필요 없음

## 사다리 전체

pull-works-here = 모든 단계를 통과했습니다. 이 머신에서는 풀이 됩니다
climb-holds = { $vantage } 기준: { $image } 이미지를 풀할 수 있습니다. 모든 단계를 통과했습니다
climb-ends = { $vantage } 기준: { $image } 이미지 풀이 끝난 단계: { $stage }
climb-branch = { $phase ->
        [token] 토큰 서비스
        [blob] 블롭 저장소
       *[other] 리다이렉트
    } { $url }
climb-is-here = { $vantage } 기준의 결과입니다. 노드의 DNS 서버, 프록시, 신뢰하는 CA, 자격 증명은 다를 수 있습니다.

## 사다리가 답하는 것

evidence-names-agree = 이 머신의 hosts 파일과 모든 DNS 서버의 응답이 일치합니다
evidence-resolvers-differ = 이 머신의 DNS 서버들이 서로 다르게 응답합니다
evidence-resolver-answers = DNS 서버({ $resolver })가 응답했으며, 그런 이름은 없다고 합니다
evidence-no-proxy-used = { $host } 요청에는 프록시를 쓰지 않습니다
evidence-connects = 연결은 이루어집니다
evidence-loopback = 루프백 주소이므로 밖으로 나갔다 돌아오는 경로가 아닙니다
evidence-not-own-address = 이 머신의 주소가 아닙니다
evidence-nothing-large-sent = 큰 패킷을 보내기 전에 끝났습니다
evidence-small-hello-passes = 같은 주소에 작은 hello를 보내면 응답이 오지만 일반 hello에는 응답이 없습니다
evidence-answered-at-once = 상대가 연결을 닫았더라도 바로 응답했으므로 유실된 패킷은 없습니다
evidence-nothing-sent = Authorization 헤더를 보내지 않았습니다
evidence-answer-names-token = 응답이 토큰을 언급하므로 헤더는 전달되었습니다
evidence-accepted-before = 레지스트리가 다른 요청에서는 같은 자격 증명을 받아들였으므로 헤더는 전달됩니다
evidence-no-token-in-play = 토큰을 요구하지 않습니다
evidence-token-in-time = 레지스트리 시각을 기준으로 토큰이 유효합니다
evidence-realm-gives-tokens = 레지스트리가 지정한 토큰 서비스가 토큰을 발급합니다
evidence-get-is-answered-alike = 같은 URL을 GET으로 요청해도 HEAD와 같은 응답이 옵니다
evidence-tags-near = 비슷한 이름의 태그: { $tags }
verify-probe-again = 같은 머신에서 다시 확인합니다.
ask-token-invalid = 레지스트리가 토큰의 대상과 관계없이 토큰 자체를 거부합니까?
evidence-small-hello-passes-large-refused = 같은 주소에 작은 hello를 보내면 응답이 오고 일반 hello는 바로 거부됩니다. 유실된 패킷은 없습니다
