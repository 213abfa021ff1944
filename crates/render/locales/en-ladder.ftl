# What a probe saw, rung by rung, and what its ladders show beside each other.

## What a probe's ladders show beside each other

evidence-refused-here = { $image } is refused
evidence-control-passes = { $image } of the same registry is let through with the same credentials: the credentials are sound
evidence-token-grants = The token service took the credentials, and its token grants the pull
evidence-bare-challenge = The registry answers as if no Authorization header had come: it asks for a login again and names no error
evidence-token-not-yet = The token begins to be valid { $seconds } seconds after the registry's own time
evidence-token-over = The token had run out { $seconds } seconds before the registry's own time
evidence-token-refused-by-registry = The registry refuses the token

## What was seen on each rung

climb-endpoint-holds = From { $vantage } to { $url }: the image can be had
climb-endpoint-ends = From { $vantage } to { $url }: the image cannot be had
rung-reference = { $repository } at { $host }, { $reference }
rung-credentials = { $user }, from { $source }
rung-credentials-none = none found: asks without a login
rung-dns = { $addresses } by { $resolver }
rung-dns-file = { $addresses } by the hosts file
rung-dns-differ = { $addresses }; the resolvers { $resolver } do not agree
rung-dns-failed = { $answers }
rung-dns-differ-failed = the resolvers do not agree: { $answers }
rung-dns-by-proxy = left to the proxy
rung-connect = { $peer }
rung-connect-some = { $peer }; but { $failed }
rung-connect-failed = { $failed }
rung-connect-proxy = through { $proxy } ({ $variable })
rung-proxy-answers = { $proxy } answers: { $status }
rung-tls = { $version }, { $subject }, issued by { $issuer }, until { $until }{ $product ->
        [none] {""}
       *[other] ; { $product } stands in between
    }
rung-tls-failed = { $subject }, issued by { $issuer }, until { $until }{ $product ->
        [none] {""}
       *[other] ; { $product } stands in between
    }
rung-tls-unverified = taken unverified, as configured; it would be refused: { $why }
rung-tls-plain = none: plain HTTP
rung-http = { $status }{ $scheme ->
        [none] , no login asked for
       *[other] , asks for { $scheme }
    }{ $product ->
        [none] {""}
       *[other] , looks like { $product }
    }{ $clock ->
        [none] {""}
       *[other] , its clock is off by { $clock } s
    }
rung-answer = { $request }: { $status }
rung-token = grants { $grants }{ $until ->
        [none] {""}
       *[other] , until { $until }
    }
rung-token-grants-nothing = a token that grants nothing
rung-token-opaque = a token that only the registry can read
rung-token-basic = none needed: the password goes to the registry itself
rung-authorization = let in with { $scheme }
rung-authorization-open = let in without a login
rung-manifest = { $kind }, { $size } bytes, { $digest }
rung-platform = has { $platform }
rung-blob = { $count ->
    [one] 1 blob, { $bytes } bytes read
   *[other] { $count } blobs, { $bytes } bytes read
}
rung-skipped = not needed

## A ladder as a whole

pull-works-here = Every rung holds: the pull would work from here
climb-holds = From { $vantage }, the pull of { $image } would work: every rung holds
climb-ends = From { $vantage }, the pull of { $image } ends at: { $stage }
climb-branch = { $phase ->
        [token] token service
        [blob] blob store
       *[other] redirected to
    } { $url }
climb-is-here = This is what { $vantage } sees. A node has a resolver, a proxy, trusted roots and credentials of its own.

## What a ladder answers

evidence-names-agree = The hosts file and every name server that this machine asks say the same
evidence-resolvers-differ = The resolvers of this machine give different answers
evidence-resolver-answers = The resolver { $resolver } answers, and says that there is no such name
evidence-no-proxy-used = No proxy is used for { $host }
evidence-connects = The connection comes about
evidence-loopback = The address is loopback: nothing goes out and back
evidence-not-own-address = The address is not one of the machine's own
evidence-nothing-large-sent = It ended before anything large was sent
evidence-small-hello-passes = A smaller hello to the same address is answered, the usual one is not
evidence-answered-at-once = The peer answered at once, if only by closing: no packet was lost
evidence-nothing-sent = No Authorization header was sent
evidence-answer-names-token = The answer speaks of the token: the header arrived
evidence-accepted-before = The registry accepted the same credentials for another request: the header arrives
evidence-no-token-in-play = No token is asked for
evidence-token-in-time = The token is valid by the registry's own time
evidence-realm-gives-tokens = The token service that the registry names gives tokens
evidence-get-is-answered-alike = GET of the same URL is answered like HEAD
evidence-tags-near = Tags with near names: { $tags }
verify-probe-again = Climb again from the same machine.
ask-token-invalid = Does the registry refuse the token itself, whatever it is for?
evidence-small-hello-passes-large-refused = A smaller hello to the same address is answered; the usual one is refused at once, not lost
