import type { Arrow, Diagram } from './render-diagram.ts'

const lanes = ['Client', 'Oracle', 'Database', 'Model', 'Tool'] as const
type Lane = (typeof lanes)[number]

const laneAt = (lane: Lane): number => 76 + lanes.indexOf(lane) * 152

const steps: readonly (readonly [from: Lane, to: Lane, label: string])[] = [
  ['Client', 'Oracle', 'POST /chat, signed'],
  ['Oracle', 'Database', 'store message'],
  ['Oracle', 'Model', 'prompt and manifests'],
  ['Model', 'Oracle', 'load_capability'],
  ['Oracle', 'Model', 'tools of the plugin'],
  ['Model', 'Oracle', 'tool call'],
  ['Oracle', 'Client', 'approval, if required'],
  ['Oracle', 'Tool', 'checked input'],
  ['Tool', 'Oracle', 'checked output'],
  ['Oracle', 'Model', 'result'],
  ['Model', 'Oracle', 'text'],
  ['Oracle', 'Client', 'text, streamed'],
  ['Oracle', 'Database', 'store answer'],
  ['Oracle', 'Client', 'finish'],
]

const arrowOf = ([from, to, label]: (typeof steps)[number], index: number): Arrow => {
  const y = 96 + index * 34
  // Labels are placed next to the oracle's lane, where no other lane crosses them.
  const other = from === 'Oracle' ? to : from
  const side = laneAt('Oracle') + (other === 'Client' ? -76 : 76)
  return {
    path: [
      [laneAt(from), y],
      [laneAt(to), y],
    ],
    label,
    labelAt: [side, y - 6],
  }
}

/** A turn, from the message to the end of the stream. */
export const turn: Diagram = {
  title: 'A turn',
  description: `${steps.map(([from, to, label]) => `${from} to ${to}: ${label}`).join('. ')}.`,
  size: [760, 590],
  boxes: lanes.map(lane => ({
    at: [laneAt(lane) - 56, 16],
    size: [112, 40],
    title: lane,
    ...(lane === 'Oracle' && { tone: 'strong' as const }),
  })),
  lanes: lanes.map(lane => [
    [laneAt(lane), 56],
    [laneAt(lane), 574],
  ]),
  arrows: steps.map(arrowOf),
}
