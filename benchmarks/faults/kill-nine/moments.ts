import type { StreamedEvent } from '@sibyl/core/testing'

/** When a process is killed, in the life of a turn as its client sees it. */
export const moments = ['begun', 'in-answer', 'in-tool', 'finished', 'any'] as const

/** One of `moments`. */
export type Moment = (typeof moments)[number]

/** Whether what a client just heard is the moment; `any` is not told by an event. */
export const isMoment = (moment: Moment, heard: StreamedEvent | 'acknowledged'): boolean => {
  if (heard === 'acknowledged') return moment === 'begun'
  if (moment === 'in-answer') return heard.type === 'text-delta' && String(heard.delta).startsWith('word')
  if (moment === 'in-tool') return heard.type === 'data-noted'
  return moment === 'finished' && heard.type === 'finish'
}
