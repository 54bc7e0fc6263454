import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { encloseResult, encloseTools } from './enclosed-tools.ts'

/** Listeners of a transport. */
export interface WatchedTransportOptions {
  /** Called for errors outside of a request, such as a stream that cannot be resumed. */
  readonly onTrouble: (error: Error) => void
}

/** The code of the error that a request ends with when its stream ended without an answer. */
export const streamEnded = -32_799

/**
 * Stands between the SDK's client and a transport: a request whose stream ends without an answer fails at once instead of
 * waiting for its time limit, and tools and results of calls go through the SDK enclosed.
 */
export const watchTransport = (inner: Transport, { onTrouble }: WatchedTransportOptions): Transport => {
  const open = new Map<unknown, string>()
  const forget = (id: unknown) => open.delete(id)

  const outer: Transport = {
    ...('stderr' in inner && { stderr: null, pid: null }),
    ...(inner.hasPerRequestStream && { hasPerRequestStream: true }),
    start: () => inner.start(),
    close: () => inner.close(),
    send(message, options) {
      if ('method' in message && message.method === 'notifications/cancelled') forget(message.params?.requestId)
      if (!('method' in message && 'id' in message)) return inner.send(message, options)
      const { id, method } = message
      open.set(id, method)
      const fail = () => {
        if (!open.delete(id)) return
        outer.onmessage?.({ jsonrpc: '2.0', id, error: { code: streamEnded, message: 'The stream ended.' } })
      }
      options?.requestSignal?.addEventListener('abort', () => forget(id), { once: true })
      const sent = inner.send(message, { onRequestStreamEnd: fail, ...options })
      sent.catch(() => forget(id))
      return sent
    },
    get sessionId() {
      return inner.sessionId
    },
    setProtocolVersion: version => inner.setProtocolVersion?.(version),
  }
  inner.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message) return outer.onmessage?.(message)
    const method = open.get(message.id)
    if (!open.delete(message.id)) return
    const enclose = method === 'tools/list' ? encloseTools : method === 'tools/call' ? encloseResult : undefined
    const answer = enclose && 'result' in message ? { ...message, result: enclose(message.result) } : message
    // The SDK handles notifications one microtask later than answers: progress that came before would be lost.
    queueMicrotask(() => queueMicrotask(() => outer.onmessage?.(answer)))
  }
  inner.onerror = error => {
    onTrouble(error)
    outer.onerror?.(error)
  }
  inner.onclose = () => outer.onclose?.()
  return outer
}
