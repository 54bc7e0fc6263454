import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Messages that are drawn at first, and that each step adds. */
const step = 40
/** The most messages that are drawn at once. */
const max = 3 * step

/** The messages of a conversation that are drawn: the latest ones, or a part before them. */
export interface MessageWindow<Message> {
  readonly visible: readonly Message[]
  /** Number of messages before and behind them. */
  readonly before: number
  readonly behind: number
  readonly showEarlier: () => void
  readonly showLater: () => void
  readonly showEnd: () => void
}

/**
 * Draws a bounded part of a conversation. What the user reads stays in its place when messages appear above it or leave.
 *
 * @param viewport The element that scrolls; each message is an `article`.
 */
export const useMessageWindow = <Message>(
  messages: readonly Message[],
  viewport: RefObject<HTMLElement | null>,
): MessageWindow<Message> => {
  // Without an end, the window follows the conversation.
  const [{ size, end }, setWindow] = useState<{ readonly size: number; readonly end?: number }>({ size: step })
  const anchor = useRef<{ readonly element: Element; readonly top: number }>(undefined)
  const last = Math.min(end ?? messages.length, messages.length)
  const first = Math.max(0, last - size)
  useLayoutEffect(() => {
    const { element, top } = anchor.current ?? {}
    anchor.current = undefined
    if (viewport.current && element?.isConnected && top !== undefined)
      viewport.current.scrollTop += element.getBoundingClientRect().top - top
  }, [first, last, viewport])
  const stayAt = (element: Element | undefined) => {
    anchor.current = element && { element, top: element.getBoundingClientRect().top }
  }
  const articles = () => [...(viewport.current?.querySelectorAll('article') ?? [])]
  return {
    visible: messages.slice(first, last),
    before: first,
    behind: messages.length - last,
    showEarlier() {
      stayAt(articles().at(0))
      const from = Math.max(0, first - step)
      const to = Math.min(last, from + max)
      setWindow({ size: to - from, ...(to < messages.length ? { end: to } : {}) })
    },
    showLater() {
      stayAt(articles().at(-1))
      const to = last + step
      setWindow(
        to < messages.length
          ? { size: Math.min(max, to - first), end: to }
          : { size: Math.min(max, messages.length - first) },
      )
    },
    showEnd: () => setWindow({ size: step }),
  }
}
