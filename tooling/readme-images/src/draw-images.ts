import { drawArchitecture } from './draw-architecture.ts'
import { drawSession } from './draw-session.ts'
import type { Frame } from './frame.ts'
import { themes } from './theme.ts'
import { visibleRows } from './visible-rows.ts'

const title = 'A conversation in a terminal: the agent loads plugins, answers, and asks before it erases notes'

/** The pictures of the README: their texts by their paths, relative to the checkout. */
export const drawImages = (frames: readonly Frame[], columns: number): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(themes).flatMap(([name, theme]) => [
      [`docs/images/session-${name}.svg`, drawSession(visibleRows(frames), columns, theme, title)] as const,
      [`docs/images/architecture-${name}.svg`, drawArchitecture(theme)] as const,
    ]),
  )
