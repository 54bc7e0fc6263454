import type { Diagram } from './render-diagram.ts'

/** The seven concepts and how they relate. */
export const concepts: Diagram = {
  title: 'Concepts',
  description:
    'An oracle has capabilities. A user holds a delegation, which grants abilities; a capability needs abilities. The oracle keeps digital twins. A protocol describes twins. A claim is about a twin and is judged by the rubric of its protocol; an approved claim becomes a credential.',
  size: [760, 380],
  boxes: [
    { at: [20, 30], size: [150, 64], title: 'User', lines: ['DID and key'] },
    { at: [20, 158], size: [150, 64], title: 'Delegation', lines: ['signed, revocable'] },
    { at: [20, 286], size: [150, 64], title: 'Ability', lines: ['such as tasks/write'] },
    { at: [305, 30], size: [150, 64], title: 'Oracle', lines: ['agent with a DID'], tone: 'strong' },
    { at: [305, 286], size: [150, 64], title: 'Capability', lines: ['tools of a plugin'] },
    { at: [590, 30], size: [150, 64], title: 'Digital twin', lines: ['record with history'] },
    { at: [590, 158], size: [150, 64], title: 'Claim', lines: ['statement to judge'] },
    { at: [590, 286], size: [150, 64], title: 'Protocol', lines: ['rules for twins'] },
  ],
  arrows: [
    {
      path: [
        [170, 62],
        [303, 62],
      ],
      label: 'talks to',
    },
    {
      path: [
        [95, 94],
        [95, 156],
      ],
      label: 'holds',
      labelAt: [95, 130],
    },
    {
      path: [
        [95, 222],
        [95, 284],
      ],
      label: 'grants',
      labelAt: [95, 258],
    },
    {
      path: [
        [305, 318],
        [172, 318],
      ],
      label: 'requires',
    },
    {
      path: [
        [380, 94],
        [380, 284],
      ],
      label: 'loads when needed',
      labelAt: [380, 194],
    },
    {
      path: [
        [455, 62],
        [588, 62],
      ],
      label: 'keeps',
    },
    {
      path: [
        [665, 158],
        [665, 96],
      ],
      label: 'is about',
      labelAt: [665, 132],
    },
    {
      path: [
        [665, 222],
        [665, 284],
      ],
      label: 'is judged by',
      labelAt: [665, 258],
    },
    {
      path: [
        [740, 318],
        [752, 318],
        [752, 62],
        [742, 62],
      ],
      label: 'describes',
      labelAt: [722, 252],
    },
  ],
}
