import { checkFlow } from './check-flow.ts'
import type { Flow } from './flow.ts'

/**
 * What a flow must be for its literal targets to lead to its own screens. A target of the type `string`, as of a screen that
 * a function made, is left to the check at run time.
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

/** A screen's members that name other screens, and its options in turn. */
type ConnectedScreen<Part, Names extends string> = {
  readonly [Member in keyof Part]: Member extends 'to' | 'yes' | 'no' | 'failed' | 'back'
    ? ConnectedTarget<Part[Member], Names>
    : Member extends 'leadsTo'
      ? { readonly [Index in keyof Part[Member]]: ConnectedTarget<Part[Member][Index], Names> }
      : Member extends 'options'
        ? { readonly [Index in keyof Part[Member]]: ConnectedScreen<Part[Member][Index], Names> }
        : Part[Member]
}

/** The target itself, if it may be one. */
type ConnectedTarget<Target, Names extends string> = Target extends string
  ? string extends Target
    ? Target
    : Target extends Names
      ? Target
      : Target & NoSuchScreen
  : Target

/** Stands in the compiler's message for a name that no screen of the flow has. */
export interface NoSuchScreen {
  readonly 'no screen of this flow is called that': never
}

/**
 * Checks a flow and hands it back. A target that is written as a literal string is checked by the compiler too.
 *
 * @throws `flow_invalid`, with every fault: targets that are not there, menus without options, values that
 *   were not declared, languages without words, keys that are not keys
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
