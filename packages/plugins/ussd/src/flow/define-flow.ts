import { checkFlow, flowInvalid } from './check-flow.ts'
import type { Flow, MenuOption, Screen } from './flow.ts'

/**
 * Type of a flow whose literal targets are its own screens. A target of the type `string`, such as that of a screen
 * from a function, is checked at runtime.
 */
export interface ConnectedFlow<Checked extends Flow> {
  readonly start: ConnectedTarget<Checked['start'], ScreenNames<Checked>>
  readonly screens: {
    readonly [Name in keyof Checked['screens']]: ConnectedScreen<
      Checked['screens'][Name],
      ScreenNames<Checked> | 'exit'
    >
  }
}

type ScreenNames<Checked extends Flow> = keyof Checked['screens'] & string

/** The members of a screen that name other screens, and its options in turn. */
type ConnectedScreen<Part, Names extends string> = {
  readonly [Member in keyof Part]: Member extends 'to' | 'yes' | 'no' | 'failed' | 'back'
    ? ConnectedTarget<Part[Member], Names>
    : Member extends 'leadsTo'
      ? { readonly [Index in keyof Part[Member]]: ConnectedTarget<Part[Member][Index], Names> }
      : Member extends 'options'
        ? { readonly [Index in keyof Part[Member]]: ConnectedScreen<Part[Member][Index], Names> }
        : Part[Member]
}

/** The target itself, if it is allowed. */
type ConnectedTarget<Target, Names extends string> = Target extends string
  ? string extends Target
    ? Target
    : Target extends Names
      ? Target
      : Target & NoSuchScreen
  : Target

/** Appears in the compiler's message for an unknown screen name. */
export interface NoSuchScreen {
  readonly 'no screen of this flow is called that': never
}

/**
 * Checks a flow and returns it. The compiler also checks targets that are literal strings.
 *
 * @throws `flow_invalid`, with every problem: unknown targets, menus without options, undeclared values, languages
 *   without texts, invalid keys
 * @example
 * const flow = defineFlow({
 *   start: 'welcome',
 *   screens: {
 *     welcome: { kind: 'menu', text: 'Welcome', options: [{ label: 'Opening hours', to: 'hours' }] },
 *     hours: { kind: 'message', text: 'Monday to Friday, 8 to 17.' },
 *   },
 * })
 */
export const defineFlow = <const Checked extends Flow>(flow: Checked & ConnectedFlow<Checked>): Flow => {
  checkFlow(flow)
  return flow
}

/** Screens and options to add to a flow. */
export interface FlowExtension {
  /** Options at the end of menus, by the menu's name: `{ preMenu: [{ label: 'Opening hours', to: 'hours' }] }`. */
  readonly options?: Readonly<Record<string, readonly MenuOption[]>>
  /** Screens by name; they replace screens with the same name. */
  readonly screens?: Readonly<Record<string, Screen>>
  /** Values that the added texts show in braces. */
  readonly values?: Flow['values']
}

/**
 * Adds screens and options to a flow, such as the bundled one, and checks the result.
 *
 * @throws `flow_invalid`, with every problem: options for a screen that is not a menu, unknown targets
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
