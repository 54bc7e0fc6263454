import { spawn } from 'node:child_process'

/** The processes under way, each the leader of its own group. */
const running = new Set()

/**
 * Starts a command without input, as the leader of a process group of its own.
 *
 * @param {string[]} command The program and its arguments.
 * @param {{ cwd: string, environment?: Record<string, string>, onOutput?: (text: string) => void }} options
 *   `onOutput` takes what it and its children write, which otherwise goes to the log.
 * @returns {{ ended: Promise<string>, stop(seconds: number, signal?: string): Promise<{ ok: boolean, why: string }> }}
 *   `ended` resolves with how it ended: 'exit code 0', 'SIGKILL'; with `onOutput` not before its children have ended too.
 */
export const start = ([program, ...args], { cwd, environment, onOutput }) => {
  const output = onOutput ? 'pipe' : 'inherit'
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { ...process.env, ...environment },
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.stdout?.on('data', data => onOutput(String(data)))
  child.stderr?.on('data', data => onOutput(String(data)))

  const ended = new Promise(resolve => {
    child.on('error', error => resolve(error.message))
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  }).then(how => {
    signalGroup(child, 'SIGKILL')
    running.delete(child)
    return how
  })
  // SIGINT, as Ctrl-C does: each process of the group once. A SIGTERM would be relayed by pnpm and arrive twice.
  const stop = async (seconds, signal = 'SIGINT') => {
    signalGroup(child, signal)
    const how = await within(seconds, ended)
    if (how === undefined) signalGroup(child, 'SIGKILL')
    return { ok: how !== undefined, why: how === undefined ? `still there after ${seconds} s` : how }
  }
  return { ended, stop }
}

/**
 * Runs a command to its end; what it writes goes to the log.
 *
 * @param {{ cwd: string, seconds: number, environment?: Record<string, string> }} options
 * @returns {Promise<{ ok: boolean, why: string }>}
 */
export const run = async (command, { seconds, ...options }) => {
  const { ended, stop } = start(command, options)
  const how = await within(seconds, ended)
  if (how === undefined) await stop(5)
  return { ok: how === 'exit code 0', why: how ?? `not done after ${Math.round(seconds)} s` }
}

/** Ends every process that was started and is still there. */
export const killEverything = () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
}

/** The value of a promise, or undefined when it takes longer than that. */
export const within = (seconds, promise) => {
  let timer
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const signalGroup = (child, signal) => {
  try {
    if (child.pid) process.kill(-child.pid, signal)
  } catch {
    // The whole group has ended.
  }
}
