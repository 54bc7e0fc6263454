import { type ChatEvent, chatEvent, firstUnstoredNumber, type MessageMetadata, parseJson } from '@sibyl/protocol'
import type { EventSourceMessage } from 'eventsource-parser'
import { InvalidEventError } from '../errors/turn-errors.ts'

/** An event of a type that this client does not know yet; `value` is it as it came. */
export interface UnknownEvent {
  readonly type: 'unknown'
  readonly value: { readonly type: string; readonly [key: string]: unknown }
}

/** One event of a turn with its place in it. */
export interface StreamedEvent {
  /** `<turnId>:<n>`: what to give to `resume` to go on after it. */
  readonly id: string
  readonly turnId: string
  /** The place in the stream. */
  readonly number: number
  readonly event: ChatEvent | UnknownEvent
}

const knownTypes: ReadonlySet<string> = new Set(
  chatEvent.options.flatMap(option => {
    const { type } = option.shape
    if ('values' in type && type.values instanceof Set) return [...type.values].map(String)
    return 'options' in type ? type.options : []
  }),
)

/**
 * Reads one event of a chat stream.
 *
 * @returns undefined for the closing `[DONE]`
 * @throws InvalidEventError (`invalid_event`) when the id, the JSON or a known type's shape is wrong
 */
export const readStreamedEvent = (frame: EventSourceMessage): StreamedEvent | undefined => {
  if (frame.data === '[DONE]') return undefined
  const place = /^([\w-]{1,128}):(\d{1,15})$/.exec(frame.id ?? '')
  if (!place) throw new InvalidEventError('an event has no id of the form <turnId>:<n>')
  return { id: place[0], turnId: place[1]!, number: Number(place[2]), event: readEvent(frame.data) }
}

/**
 * Whether an event may follow the one of a number: the next one, a final one that was not stored with the others, or the first one
 * after another process continued the turn.
 */
export const mayFollow = (item: StreamedEvent, number: number): boolean =>
  item.number === number + 1 ||
  item.event.type === 'data-resumed' ||
  (isFinal(item) && item.number >= firstUnstoredNumber)

/** Whether the event ends its turn's stream. */
export const isFinal = ({ event }: StreamedEvent): boolean =>
  event.type === 'finish' || event.type === 'abort' || event.type === 'error'

/** The event as it travelled, whether this client knows its type or not. */
export const rawEvent = ({ event }: StreamedEvent): { readonly type: string; readonly [key: string]: unknown } =>
  event.type === 'unknown' ? event.value : event

const readEvent = (json: string): ChatEvent | UnknownEvent => {
  const value = parseJson(json)
  if (!hasType(value)) throw new InvalidEventError('an event is not a JSON object with a type')
  const checked = chatEvent.safeParse(value)
  // The value itself, not what the schema kept of it: fields that newer oracles add stay readable.
  if (checked.success) return withStepCount(value as ChatEvent, checked.data)
  if (!knownTypes.has(value.type)) return { type: 'unknown', value }
  throw new InvalidEventError(`an event of type ${value.type} does not match its type`)
}

/** Metadata of an earlier oracle names `stepCount` differently. */
const withStepCount = (event: ChatEvent, read: ChatEvent): ChatEvent => {
  if (event.type !== 'finish' || read.type !== 'finish' || read.messageMetadata?.stepCount === undefined) return event
  const { steps: _, ...rest } = event.messageMetadata as MessageMetadata & { steps?: unknown }
  return { ...event, messageMetadata: { ...rest, stepCount: read.messageMetadata.stepCount } }
}

const hasType = (value: unknown): value is { type: string; [key: string]: unknown } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
