import { coreErrors } from '../errors/core-errors.ts'
import type { NamedRecords } from './make-people.ts'
import type { ReadyPlugin } from './plugin-lifecycle.ts'

/** The plugins of an oracle: empty during their setup, and complete from then on. */
export class PluginRegistry {
  #plugins: readonly ReadyPlugin[] | undefined

  /** The plugins in dependency order. Throws `not_booted` before they are set up. */
  get plugins(): readonly ReadyPlugin[] {
    if (!this.#plugins) throw coreErrors.not_booted()
    return this.#plugins
  }

  /** The personal data of the plugins. Throws `not_booted` before they are set up. */
  get personalRecords(): readonly NamedRecords[] {
    return this.plugins.flatMap(({ plugin: { name }, parts: { personalRecords: records } }) =>
      records ? [{ name, records }] : [],
    )
  }

  /** Throws `not_booted` before the plugins are set up. */
  assertComplete(): void {
    if (!this.#plugins) throw coreErrors.not_booted()
  }

  /** Adds all plugins, in dependency order. */
  complete(plugins: readonly ReadyPlugin[]): void {
    this.#plugins = plugins
  }
}
