import { type ServiceToken, serviceToken } from './service-token.ts'

/** The skills of an oracle, which every caller may read. */
export interface SkillLibrary {
  /** Returns the current skills. */
  list(): Promise<readonly { readonly name: string; readonly description: string }[]>
  /** Returns the instructions of a skill, as Markdown; undefined for an unknown name. */
  read(name: string): Promise<string | undefined>
}

/** The service of the plugin that keeps skills. */
export const skillLibrary: ServiceToken<SkillLibrary> = serviceToken('skill-library')
