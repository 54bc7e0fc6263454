import { type Clock, type Logger, nearNames, ToolFailure, withTimeout } from '@sibyl/plugin'
import { type ScannedFolder, type Skill, type SkillFault, scanSkills } from './scan-skills.ts'

/** The skills at one moment. */
export interface SkillSet {
  /** By name, those of the operator's folder first. */
  readonly skills: ReadonlyMap<string, Skill>
  /** What was left out, and why. */
  readonly faults: readonly SkillFault[]
}

/** What a shelf is made of. */
export interface SkillShelfOptions {
  /** The operator's folder; its skills take the place of bundled ones. */
  readonly folder: string
  /** Whether it may be missing. */
  readonly isOptional: boolean
  /** The folder of the skills that come along. */
  readonly bundled: string
  readonly clock: Clock
  readonly log: Logger
  /** How long somebody waits for folders that do not answer, in milliseconds. */
  readonly patienceMs?: number
  /** Looks into a folder. */
  readonly scan?: typeof scanSkills
}

/** How long what was found counts as how it is, in milliseconds. */
const freshMs = 1_000

const mostSkills = 200

/**
 * Keeps what the folders of skills hold. They are looked at when somebody asks, at most once a second, so that a change shows
 * at the next use wherever files can be mounted; every asker gets one whole state. While they do not answer, askers get what
 * was there before, and nobody looks a second time. What is left out is told in the log once.
 */
export const createSkillShelf = (options: SkillShelfOptions) => {
  const { folder, isOptional, bundled, clock, log, patienceMs = 5_000, scan = scanSkills } = options
  const scanned = new Map<string, ScannedFolder>()
  let told = new Set<string>()
  let latest: SkillSet = { skills: new Map(), faults: [] }
  let latestAt: number | undefined
  let looking: Promise<SkillSet> | undefined

  const look = async (): Promise<SkillSet> => {
    const skills = new Map<string, Skill>()
    const faults: SkillFault[] = []
    const notes: string[] = []
    for (const place of [folder, bundled]) {
      const found = await scan(place, scanned.get(place))
      if ('refused' in found) {
        scanned.delete(place)
        const file = place === folder ? 'SKILLS_DIR' : 'the bundled skills'
        if (!(isOptional && found.refused === 'is not there')) faults.push({ file, fault: found.refused })
        continue
      }
      scanned.set(place, found)
      for (const { result } of found.values()) {
        if ('fault' in result) faults.push(result)
        else if (skills.has(result.name)) notes.push(result.name)
        else if (skills.size === mostSkills)
          faults.push({ file: `${result.name}/SKILL.md`, fault: `comes after the first ${mostSkills} skills` })
        else skills.set(result.name, result)
      }
    }
    tell(faults, notes)
    latest = { skills, faults }
    return latest
  }

  const tell = (faults: readonly SkillFault[], replaced: readonly string[]) => {
    const now = new Set([...faults.map(({ file, fault }) => `${file} ${fault}`), ...replaced])
    for (const { file, fault } of faults) {
      if (!told.has(`${file} ${fault}`)) log.warn('a skill is left out', { file, fault })
    }
    for (const skill of replaced) {
      if (!told.has(skill)) log.info("a skill of the operator's takes the place of a bundled one", { skill })
    }
    told = now
  }

  /** Waits a moment for what is found, else gives what was there before. */
  const orBefore = (found: Promise<SkillSet>): Promise<SkillSet> =>
    withTimeout(() => found, { timeoutMs: patienceMs }).catch(() => {
      const fault = { file: 'SKILLS_DIR', fault: 'does not answer; this is what it held before' }
      tell([fault], [])
      return { skills: latest.skills, faults: [fault] }
    })

  return {
    /** Returns the skills as they are now, give or take a second; never rejects. */
    async read(): Promise<SkillSet> {
      const now = clock.now()
      if (!looking && latestAt !== undefined && Math.abs(now - latestAt) < freshMs) return latest
      if (!looking) {
        latestAt = now
        looking = look().finally(() => {
          looking = undefined
        })
      }
      return orBefore(looking)
    },
  }
}

export type SkillShelf = ReturnType<typeof createSkillShelf>

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
