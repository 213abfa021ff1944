# 프로브가 단계마다 본 것과, 사다리를 나란히 놓고 보면 드러나는 것입니다.

## 프로브의 사다리를 나란히 놓고 보면 드러나는 것

evidence-refused-here = { $image } 이미지는 거부됩니다
evidence-control-passes = 같은 레지스트리의 { $image } 이미지는 같은 자격 증명으로 통과합니다. 자격 증명은 올바릅니다
evidence-token-grants = 토큰 서비스가 자격 증명을 받아들였고, 발급된 토큰은 풀을 허용합니다
evidence-bare-challenge = 레지스트리가 Authorization 헤더를 받지 못한 것처럼 답합니다. 오류를 알리지 않고 다시 로그인을 요구합니다
evidence-token-not-yet = 토큰의 유효 기간이 레지스트리 시각보다 { $seconds } 초 뒤에 시작됩니다
evidence-token-over = 토큰의 유효 기간이 레지스트리 시각보다 { $seconds } 초 전에 끝났습니다
evidence-token-refused-by-registry = 레지스트리가 토큰을 거부합니다
