import { checkFlow } from './check-flow.ts'
import type {
  ActionScreen,
  ChoiceScreen,
  ConfirmScreen,
  Flow,
  FlowContext,
  InputScreen,
  MenuOption,
  MenuScreen,
  MessageScreen,
  SecretScreen,
} from './flow.ts'

/** A flow whose screens have the names `Names`. */
export interface NamedFlow<Names extends string> extends Omit<Flow, 'start' | 'screens'> {
  readonly start: NoInfer<Names>
  readonly screens: Readonly<Record<Names, NamedScreen<NoInfer<Names>>>>
}

/** A screen that leads to none but those of the names `Names`. */
export type NamedScreen<Names extends string> =
  | Replace<
      MenuScreen,
      { readonly options: readonly Replace<MenuOption, { readonly to: NamedTarget<Names> }>[] },
      Names
    >
  | Replace<InputScreen, { readonly to: NamedTarget<Names> }, Names>
  | Replace<MessageScreen, unknown, Names>
  | Replace<ConfirmScreen, { readonly yes: NamedTarget<Names>; readonly no: NamedTarget<Names> }, Names>
  | Replace<SecretScreen, { readonly to: NamedTarget<Names> }, Names>
  | Replace<ChoiceScreen, { readonly to: NamedTarget<Names> }, Names>
  | Replace<
      ActionScreen,
      { readonly failed?: NamedTarget<Names>; readonly leadsTo: readonly (Names | 'exit')[] },
      Names
    >

/** Where a screen leads: one of the names, `exit`, or a function that chooses. */
export type NamedTarget<Names extends string> = Names | 'exit' | ((context: FlowContext) => Names | 'exit')

type Replace<Kind, Parts, Names extends string = never> = Omit<Kind, keyof Parts | 'back'> &
  Parts & { readonly back?: boolean | Names }

/**
 * Checks a flow and hands it back. A target that is written as a literal string is checked by the compiler too, wherever the
 * names of all screens stand in one object literal.
 *
 * @throws FlowInvalidError `flow_invalid`, with every fault: targets that are not there, menus without options, values that
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
export const defineFlow = <Names extends string>(flow: NamedFlow<Names>): Flow => {
  checkFlow(flow)
  return flow
}
