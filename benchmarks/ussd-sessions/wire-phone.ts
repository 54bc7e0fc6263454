import { connect, type Socket } from 'node:net'

/** The other end of a connection that asks one thing after the other. */
export interface WirePhone {
  /** Sends a request's bytes and resolves with the body of its 200 or 201. */
  ask(request: Buffer): Promise<string>
  close(): void
}

/**
 * Speaks as much of HTTP/1.1 over a socket as the load needs, with the least work a request: on two cores what the load
 * takes is missing for the server. Connects again where the server ends a connection after an answer.
 */
export const createWirePhone = (port: number): WirePhone => {
  let socket: Socket | undefined
  let received = ''
  let waiting: PromiseWithResolvers<string> | undefined

  const open = (): Socket => {
    const opened = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    opened.on('data', (text: string) => {
      received += text
      const reply = readReply(received)
      if (reply === undefined) return
      received = ''
      if (reply.closes) {
        opened.destroy()
        socket = undefined
      }
      const asked = waiting
      waiting = undefined
      if (reply.status === '200' || reply.status === '201') asked?.resolve(reply.body)
      else asked?.reject(new Error(`answered with ${reply.status}: ${reply.body}`))
    })
    opened.on('error', error => waiting?.reject(error))
    opened.on('close', () => {
      if (socket === opened) {
        socket = undefined
        waiting?.reject(new Error('the connection ended before the answer'))
      }
    })
    return opened
  }

  return {
    ask(request) {
      waiting = Promise.withResolvers()
      socket ??= open()
      socket.write(request)
      return waiting.promise
    },
    close() {
      socket?.destroy()
    },
  }
}

const endOfHead = '\r\n\r\n'

/** Reads an answer with a length; undefined while it is not whole. */
const readReply = (text: string): { status: string; body: string; closes: boolean } | undefined => {
  const headEnd = text.indexOf(endOfHead)
  if (headEnd === -1) return undefined
  const head = text.slice(0, headEnd).toLowerCase()
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  const start = headEnd + endOfHead.length
  if (text.length < start + Number(length)) return undefined
  return { status: head.slice(9, 12), body: text.slice(start), closes: head.includes('\r\nconnection: close') }
}
