import { checkFlow, flowInvalid } from './check-flow.ts'
import type { Flow, MenuOption, Screen } from './flow.ts'

/** Screens and options to add to a flow. */
export interface FlowExtension {
  /** Options at the end of menus, by the menu's name: `{ preMenu: [{ label: 'Opening hours', to: 'hours' }] }`. */
  readonly options?: Readonly<Record<string, readonly MenuOption[]>>
  /** Screens by name; one of a name that the flow has takes its place. */
  readonly screens?: Readonly<Record<string, Screen>>
  /** Values that the added texts show in braces. */
  readonly values?: Flow['values']
}

/**
 * Adds screens and options to a flow, such as the bundled one, and checks the result.
 *
 * @throws `flow_invalid`, with every fault: options for a screen that is no menu, targets that are not there
 * @example
 * ussd({
 *   flow: (_, bundled) =>
 *     extendFlow(bundled(), {
 *       options: { preMenu: [{ label: 'Opening hours', to: 'hours' }] },
 *       screens: { hours: { kind: 'message', text: 'Monday to Friday, 8 to 17.' } },
 *     }),
 * })
 */
export const extendFlow = (flow: Flow, { options = {}, screens: added = {}, values }: FlowExtension): Flow => {
  const screens: Record<string, Screen> = { ...flow.screens, ...added }
  const problems: string[] = []
  for (const [name, more] of Object.entries(options)) {
    const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
    if (screen?.kind === 'menu') screens[name] = { ...screen, options: [...screen.options, ...more] }
    else problems.push(`options.${name}: ${screen ? `"${name}" is not a menu` : `no screen is called "${name}"`}`)
  }
  if (problems.length > 0) throw flowInvalid(problems)
  const extended = { ...flow, screens, values: { ...flow.values, ...values } }
  checkFlow(extended)
  return extended
}
