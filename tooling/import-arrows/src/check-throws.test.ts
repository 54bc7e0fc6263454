import { expect, test } from 'vitest'
import { checkThrows, findClasses } from './check-throws.ts'

const sources =
  "export class TideError extends Error {}\nimport { ZodError } from 'zod'\nimport { Tide } from './tide.ts'"
const namesIn = (text: string) =>
  checkThrows('src/tide.ts', text, new Set(findClasses(sources))).map(
    ({ line, message }) => `${line} ${/'(.*?)'/.exec(message)?.[1]}`,
  )

test.each([
  ['/** @throws TideError `tide_unknown`, ZodError or TypeError; the reason of the signal. The Port */', []],
  ['/** @throws `tide_unknown` of `PortClosed`; JSON, UTF-8 */', []],
  ['/** Throws PortClosed. */', []],
  [
    '/**\n * Reads.\n *\n * @throws PortClosed `port_closed`, and\n *   TideGone\n * @returns MoonPhase\n */',
    ['4 PortClosed', '4 TideGone'],
  ],
  ['/** @throws Refusal */', ['1 Refusal']],
  ['/** @throws MissingError when `PortClosed` */', ['1 MissingError']],
])('reads %j', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})
