import { Option } from 'commander'

/** `--url` of every command that talks to an oracle, see `oracleUrl`. */
export const oracleUrlOption = (): Option =>
  new Option(
    '--url <url>',
    'where the oracle is (default: SIBYL_URL, else localhost at the PORT of this project, or 3000)',
  )
