import { nearNames, ToolFailure } from '@sibyl/plugin'
import type { Skill } from './scan-skills.ts'
import type { SkillSet } from './skill-shelf.ts'

/** A skill's name as a person or a model may write it: `Field Survey` is `field-survey`. */
export const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

/** What is told of a name that no skill has. */
export const unknownSkill = (name: string, { skills }: SkillSet): string => {
  const near = nearNames(plainName(name), [...skills.keys()])
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'list_skills shows what there is.'
  return `There is no skill '${name}'. ${hint}`
}

/** The skill of that name. Throws `ToolFailure` where there is none. */
export const findSkill = (name: string, set: SkillSet): Skill => {
  const skill = set.skills.get(plainName(name))
  if (!skill) throw new ToolFailure(unknownSkill(name, set))
  return skill
}
