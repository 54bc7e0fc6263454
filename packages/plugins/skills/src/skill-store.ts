import { type Clock, type Logger, nearNames, ToolFailure, withTimeout } from '@sibyl/plugin'
import { type ScannedFolder, type Skill, type SkillViolation, scanSkills } from './scan-skills.ts'

/** The skills at one time. */
export interface SkillSet {
  /** Skills by name, those of the operator's folder first. */
  readonly skills: ReadonlyMap<string, Skill>
  /** Problems of the skills that were left out. */
  readonly faults: readonly SkillViolation[]
}

export interface SkillStoreOptions {
  /** The operator's folder; its skills replace bundled ones. */
  readonly folder: string
  /** True if the folder may be missing. */
  readonly isOptional: boolean
  /** The folder of the bundled skills. */
  readonly bundled: string
  readonly clock: Clock
  readonly log: Logger
  /** Time to wait for a folder that does not respond, in milliseconds. */
  readonly patienceMs?: number | undefined
  /** Scans a folder. */
  readonly scan?: typeof scanSkills
}

/** Time for which a result is current, in milliseconds. */
const freshMs = 1_000

const maxSkills = 200

/**
 * Creates the store of skills. It scans the folders on access, at most once a second, so that a change is visible at
 * the next access without file watching; each caller gets one consistent state. While a scan does not respond, callers
 * get the previous state and no second scan starts. A skill that is left out is logged once.
 */
export const createSkillStore = (options: SkillStoreOptions) => {
  const { folder, isOptional, bundled, clock, log, patienceMs = 5_000, scan = scanSkills } = options
  const scanned = new Map<string, ScannedFolder>()
  let reported = new Set<string>()
  let latest: SkillSet = { skills: new Map(), faults: [] }
  let latestAt: number | undefined
  let reading: Promise<SkillSet> | undefined

  const check = async (): Promise<SkillSet> => {
    const skills = new Map<string, Skill>()
    const violations: SkillViolation[] = []
    const notes: string[] = []
    for (const place of [folder, bundled]) {
      const found = await scan(place, scanned.get(place))
      if ('refused' in found) {
        scanned.delete(place)
        const file = place === folder ? 'SKILLS_DIR' : 'the bundled skills'
        if (!(isOptional && found.refused === 'does not exist')) violations.push({ file, fault: found.refused })
        continue
      }
      scanned.set(place, found)
      for (const { result } of found.values()) {
        if ('fault' in result) violations.push(result)
        else if (skills.has(result.name)) notes.push(result.name)
        else if (skills.size === maxSkills)
          violations.push({ file: `${result.name}/SKILL.md`, fault: `is beyond the first ${maxSkills} skills` })
        else skills.set(result.name, result)
      }
    }
    report(violations, notes)
    latest = { skills, faults: violations }
    return latest
  }

  const report = (violations: readonly SkillViolation[], replaced: readonly string[]) => {
    const now = new Set([...violations.map(({ file, fault }) => `${file} ${fault}`), ...replaced])
    for (const { file, fault } of violations) {
      if (!reported.has(`${file} ${fault}`)) log.warn('a skill was left out', { file, fault })
    }
    for (const skill of replaced) {
      if (!reported.has(skill)) log.info('a skill of the operator replaces a bundled one', { skill })
    }
    reported = now
  }

  /** Waits briefly for a scan, then falls back to the previous state. */
  const orBefore = (found: Promise<SkillSet>): Promise<SkillSet> =>
    withTimeout(() => found, { timeoutMs: patienceMs }).catch(() => {
      const violation = { file: 'SKILLS_DIR', fault: 'does not respond; its previous content is used' }
      report([violation], [])
      return { skills: latest.skills, faults: [violation] }
    })

  return {
    /** Returns the current skills, at most a second old; never rejects. */
    async read(): Promise<SkillSet> {
      const now = clock.now()
      if (!reading && latestAt !== undefined && Math.abs(now - latestAt) < freshMs) return latest
      if (!reading) {
        latestAt = now
        reading = check().finally(() => {
          reading = undefined
        })
      }
      return orBefore(reading)
    },
  }
}

export type SkillStore = ReturnType<typeof createSkillStore>

/** Returns the normal form of a skill's name: `Field Survey` becomes `field-survey`. */
export const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

/** Returns the error text for an unknown name. */
export const unknownSkill = (name: string, { skills }: SkillSet): string => {
  const near = nearNames(plainName(name), [...skills.keys()])
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'list_skills lists the available skills.'
  return `The skill '${name}' is unknown. ${hint}`
}

/** Returns the skill with a name. Throws `ToolFailure` if it is unknown. */
export const findSkill = (name: string, set: SkillSet): Skill => {
  const skill = set.skills.get(plainName(name))
  if (!skill) throw new ToolFailure(unknownSkill(name, set))
  return skill
}
