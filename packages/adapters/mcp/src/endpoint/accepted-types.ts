/** The types of the answers, as the SDK reads them in `Accept`. */
const types = ['application/json', 'text/event-stream'] as const

/** Returns a request whose `Accept` names the types that it accepts in any form of HTTP: a wildcard, weights, several headers. */
export const withAccept = (request: Request): Request => {
  const accept = request.headers.get('accept') ?? '*/*'
  const accepted = types.filter(type => accepts(accept, type)).join(', ')
  if (accepted === accept) return request
  const headers = new Headers(request.headers)
  headers.set('accept', accepted)
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

/** Whether a header accepts a type: its most specific range has a weight above 0. */
const accepts = (header: string, type: string): boolean => {
  const ranges = new Map(
    header.split(',').map(part => {
      const [range = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
      const weight = parameters.find(text => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, '') ?? '1'
      return [range, Number(weight) > 0]
    }),
  )
  return ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*') ?? false
}
