/** Creates errors of all kinds that contain a secret. */
export const secretErrors = (secrets: readonly string[], url: string | undefined): unknown[] =>
  secrets.flatMap(secret => {
    const base64 = Buffer.from(secret).toString('base64')
    const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)
    const named = error('it has a name')
    named.name = secret
    const circular = error('it goes round')
    circular.cause = error(secret, { cause: circular })
    return [
      error(`failed with ${secret}`),
      error(`failed with ${base64}`),
      error(`failed with ${Buffer.from(`x${secret}`).toString('base64')}`),
      error(`failed with ${Buffer.from(`user:${secret}`).toString('base64url')}`),
      error(
        `failed with ${Buffer.from(secret).toString('hex')} or ${Buffer.from(secret).toString('hex').toUpperCase()}`,
      ),
      error(`failed with ${encodeURIComponent(secret)} at ${url}`),
      error(`failed with ${encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase())}`),
      error(`failed with ${JSON.stringify({ deep: JSON.stringify({ secret }) })}`),
      error(`${'x'.repeat(1_975)}${secret}`),
      error(`Authorization: Basic ${Buffer.from(`user:${secret}`).toString('base64')}`),
      error('it has members', {
        token: secret,
        code: secret,
        body: { inner: [secret, base64] },
        config: { auth: secret },
      }),
      error('it has a cause', { cause: error('and that one has', { cause: secret }) }),
      error('it has bytes', {
        bytes: Buffer.from(secret),
        list: new Uint8Array(Buffer.from(secret)),
        map: new Map([[secret, 1]]),
      }),
      new AggregateError([error(secret), secret], 'several'),
      new TypeError(
        `fetch failed for https://user:${encodeURIComponent(secret)}@example.org/?key=${encodeURIComponent(secret)}`,
      ),
      Object.create(error(secret)),
      named,
      circular,
      secret,
      { message: secret, status: 500 },
      Symbol(secret),
      [secret],
      null,
    ]
  })
