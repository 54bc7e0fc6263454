import { isObject } from '@sibyl/protocol'

/** Members with data or a schema, in which null is a value. */
const data = new Set(['structuredContent', 'inputSchema', 'outputSchema', 'requestedSchema', 'data', '_meta'])

/** Returns the JSON of a message without members that are null: servers write them for absent ones. */
export const withoutNulls = (text: string): string => {
  if (!text.includes('null')) return text
  try {
    return JSON.stringify(pruned(JSON.parse(text)))
  } catch {
    return text
  }
}

const pruned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pruned)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === null && key !== 'id' ? [] : [[key, data.has(key) ? member : pruned(member)]],
    ),
  )
}

/** Rewrites the messages of a body as it arrives: of a stream of events line by line, of JSON at its end. */
export const rewriteMessages = (isStream: boolean): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ''
  const line = (text: string) => {
    if (!text.startsWith('data:')) return text
    const message = text.slice('data:'.length)
    const rewritten = withoutNulls(message)
    return rewritten === message ? text : `data: ${rewritten}`
  }
  return new TransformStream({
    transform(chunk, controller) {
      const [first = '', ...lines] = isStream
        ? decoder.decode(chunk, { stream: true }).split('\n')
        : [decoder.decode(chunk, { stream: true })]
      const whole = [rest + first, ...lines]
      rest = whole.pop() ?? ''
      if (whole.length > 0) controller.enqueue(encoder.encode(whole.map(text => `${line(text)}\n`).join('')))
    },
    flush(controller) {
      rest += decoder.decode()
      if (rest !== '') controller.enqueue(encoder.encode(isStream ? line(rest) : withoutNulls(rest)))
    },
  })
}
