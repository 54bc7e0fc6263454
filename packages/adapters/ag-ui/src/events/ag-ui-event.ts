import type { Event, EventType, Message } from '@ag-ui/core'

type OnWire<One> = One extends { readonly type: infer Type extends EventType }
  ? Omit<One, 'type'> & { readonly type: `${Type}` }
  : never

/** An event of AG-UI 1.0 as it is sent: the official types, with texts for the members of their enum. */
export type AgUiEvent = OnWire<Event>

export type AgUiMessage = Message

export const protocolVersion = '1.0'

/** Returns an event as a frame of a stream of server-sent events. */
export const frameOf = (event: AgUiEvent): string => `data: ${JSON.stringify(event)}\n\n`
