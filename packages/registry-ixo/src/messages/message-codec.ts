import type { JsonValue } from '@sibyl/protocol'
import type { ChainLibraries } from '../libraries/load-libraries.ts'
import type { ChainMessage } from './chain-message.ts'

export interface PlainMessage {
  readonly typeUrl: string
  readonly value: JsonValue
}

/** Encodes messages, and shows them. */
export class MessageCodec {
  readonly #sdk: ChainLibraries['sdk']
  readonly #registry: ReturnType<ChainLibraries['sdk']['createRegistry']>

  constructor(sdk: ChainLibraries['sdk']) {
    this.#sdk = sdk
    this.#registry = sdk.createRegistry()
  }

  /** A `TxBody` in protobuf. */
  encodeBody(messages: readonly ChainMessage[]): Uint8Array {
    const { TxBody } = this.#sdk.cosmos.tx.v1beta1
    const encoded = messages.map(({ typeUrl, value }) => {
      const type = this.#typeOf(typeUrl)
      return { typeUrl, value: type.encode(type.fromPartial(value)).finish() }
    })
    return TxBody.encode(TxBody.fromPartial({ messages: encoded })).finish()
  }

  /** A message as plain JSON, bytes in base64. */
  show({ typeUrl, value }: ChainMessage): PlainMessage {
    const type = this.#typeOf(typeUrl)
    const plain: JsonValue = JSON.parse(JSON.stringify(type.toJSON(type.fromPartial(value))))
    return { typeUrl, value: plain }
  }

  #typeOf(typeUrl: string): MessageType {
    const type: unknown = this.#registry.lookupType(typeUrl)
    if (!type) throw new TypeError(`The SDK does not support ${typeUrl}.`)
    return type as MessageType
  }
}

/** The codec of the SDK for a message. */
interface MessageType {
  fromPartial(value: unknown): unknown
  encode(message: unknown): { finish(): Uint8Array }
  toJSON(message: unknown): unknown
}
