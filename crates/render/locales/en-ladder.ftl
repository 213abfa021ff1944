# What a probe saw, rung by rung, and what its ladders show beside each other.

## What a probe's ladders show beside each other

evidence-refused-here = { $image } is refused
evidence-control-passes = { $image } of the same registry is let through with the same credentials: the credentials are sound
evidence-token-grants = The token service took the credentials, and its token grants the pull
evidence-bare-challenge = The registry answers as if no Authorization header had come: it asks for a login again and names no error
evidence-token-not-yet = The token begins to be valid { $seconds } seconds after the registry's own time
evidence-token-over = The token had run out { $seconds } seconds before the registry's own time
evidence-token-refused-by-registry = The registry refuses the token
