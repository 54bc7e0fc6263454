import { rawEvent, type StreamedEvent } from '@sibyl/client'

/** One line for events that belong together: their places in the stream, what they are, and the gist of them. */
export interface EventLine {
  /** `7`, or `9–11`. */
  readonly places: string
  readonly kind: string
  readonly detail: string
}

/** The lines for these events: a tool's input, a text, the seam between two steps share one each. */
export const eventLines = (events: readonly StreamedEvent[]): EventLine[] => {
  const groups: StreamedEvent[][] = []
  for (const item of events) {
    const group = groups.at(-1)
    if (group?.[0] && kindOf(group[0]) === kindOf(item)) group.push(item)
    else groups.push([item])
  }
  return groups.map(group => {
    const [first, last] = [group[0]!, group.at(-1)!]
    return {
      places: first === last ? String(first.number) : `${first.number}–${last.number}`,
      kind: kindOf(first),
      detail: oneLine(group.map(detailOf).join('')),
    }
  })
}

const kindOf = (item: StreamedEvent): string =>
  rawEvent(item)
    .type.replace(/^(start|finish)-step$/, 'step')
    .replace(/^(tool-input|tool-output|text)-.*$/, '$1')

const detailOf = ({ event }: StreamedEvent): string => {
  switch (event.type) {
    case 'start-step':
      return 'begins '
    case 'finish-step':
      return 'ends, '
    case 'text-delta':
      return event.delta
    case 'tool-input-available':
      return `${event.toolName} ${JSON.stringify(event.input)}`
    case 'tool-output-available':
      return JSON.stringify(event.output)
    case 'tool-output-error':
      return event.errorText
    case 'finish': {
      const { outcome, stepCount, model } = event.messageMetadata ?? {}
      const facts = [
        outcome,
        stepCount === undefined ? '' : `${stepCount} steps`,
        model === 'offline' ? 'offline model' : model,
      ]
      return facts.filter(Boolean).join(', ')
    }
    case 'abort':
      return event.reason ?? ''
    case 'error':
      return `${event.code}: ${event.errorText}`
    default:
      return 'data' in event ? JSON.stringify(event.data) : ''
  }
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/^ |[ ,]+$/g, '')
