import type { Screen, Target, Text } from './flow.ts'

/** Returns the literal texts of a screen, each with its place: `options[0].label`. */
export const textsOf = (screen: Screen): { readonly where: string; readonly text: Text }[] => {
  switch (screen.kind) {
    case 'menu':
      return [
        { where: 'text', text: screen.text },
        ...screen.options.map(({ label }, index) => ({ where: `options[${index}].label`, text: label })),
      ]
    case 'choice':
      return [
        { where: 'text', text: screen.text },
        { where: 'empty', text: screen.empty },
      ]
    case 'message':
      return typeof screen.text === 'function' ? [] : [{ where: 'text', text: screen.text }]
    case 'action':
      return screen.late === undefined ? [] : [{ where: 'late', text: screen.late }]
    default:
      return [{ where: 'text', text: screen.text }]
  }
}

/** Returns the targets of a screen, each with its place: `options[0].to`. */
export const targetsOf = (screen: Screen): { readonly where: string; readonly to: Target }[] => [
  ...(typeof screen.back === 'string' ? [{ where: 'back', to: screen.back }] : []),
  ...onwardTargetsOf(screen),
]

const onwardTargetsOf = (screen: Screen): { readonly where: string; readonly to: Target }[] => {
  switch (screen.kind) {
    case 'menu':
      return screen.options.map(({ to }, index) => ({ where: `options[${index}].to`, to }))
    case 'confirm':
      return [
        { where: 'yes', to: screen.yes },
        { where: 'no', to: screen.no },
      ]
    case 'message':
      return []
    case 'action':
      return [
        ...(screen.failed === undefined ? [] : [{ where: 'failed', to: screen.failed }]),
        ...screen.leadsTo.map((to, index) => ({ where: `leadsTo[${index}]`, to })),
      ]
    default:
      return [{ where: 'to', to: screen.to }]
  }
}
