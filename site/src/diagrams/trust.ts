import type { Diagram } from './render-diagram.ts'

/** The signers of documents, and their verifiers. */
export const trust: Diagram = {
  title: 'Signatures and delegations',
  description:
    'A controller or the oracle delegates abilities to a user. The user signs each request with their own key. The oracle verifies the signature, the delegation and revocations. The oracle signs credentials, and any verifier checks them with the DID document and the status list.',
  size: [760, 400],
  boxes: [
    { at: [20, 30], size: [190, 80], title: 'Controller', lines: ['DID and key', 'owns the registry entry'] },
    { at: [20, 270], size: [190, 80], title: 'User or program', lines: ['DID and key', 'signs each request'] },
    {
      at: [300, 130],
      size: [190, 130],
      title: 'Oracle',
      lines: ['DID and key', 'verifies requests:', 'signature, audience,', 'ability, revocation'],
      tone: 'strong',
    },
    { at: [560, 30], size: [180, 80], title: 'Registry', lines: ['DID document', 'of the oracle'] },
    { at: [560, 270], size: [180, 80], title: 'Verifier', lines: ['any library for', 'W3C credentials'] },
  ],
  arrows: [
    {
      path: [
        [210, 70],
        [340, 70],
        [340, 128],
      ],
      label: 'controls',
      labelAt: [275, 62],
    },
    {
      path: [
        [115, 110],
        [115, 268],
      ],
      label: 'delegation: abilities',
      labelAt: [115, 182],
    },
    {
      path: [
        [210, 310],
        [340, 310],
        [340, 262],
      ],
      label: 'signed request (UCAN)',
      labelAt: [282, 330],
    },
    {
      path: [
        [300, 225],
        [160, 225],
        [160, 268],
      ],
      label: 'delegation',
      labelAt: [226, 218],
      isDashed: true,
    },
    {
      path: [
        [450, 130],
        [450, 70],
        [558, 70],
      ],
      label: 'is registered',
      labelAt: [504, 62],
    },
    {
      path: [
        [450, 260],
        [450, 310],
        [558, 310],
      ],
      label: 'credential',
      labelAt: [508, 302],
    },
    {
      path: [
        [650, 268],
        [650, 112],
      ],
      label: 'resolves DID',
      labelAt: [650, 176],
    },
    {
      path: [
        [600, 268],
        [600, 210],
        [492, 210],
      ],
      label: 'status list',
      labelAt: [545, 202],
    },
  ],
}
