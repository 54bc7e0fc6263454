import { BootError, defineToolFailures, type ToolFailure } from '@sibyl/plugin'

export const filesErrors = defineToolFailures({
  file_path_invalid: {
    status: 400,
    message: `The path is invalid: {problem}. Use a path such as 'reports/2026-W47.md'.`,
  },
  file_not_found: {
    status: 404,
    message: 'You have no file with that path. `list_files` and `GET /files` list the paths.',
  },
  file_version_not_found: {
    status: 404,
    message: 'You have no version with that id. `GET /files/versions` lists the ids.',
  },
  file_link_invalid: {
    status: 403,
    message: 'The link does not show a file any more, or was changed. Read the session again for a new one.',
  },
  pdf_locked: { status: 422, message: 'The PDF is protected by a password. Send one without.' },
  pdf_broken: { status: 422, message: 'The PDF is broken and cannot be read. Send another copy.' },
  pdf_too_much: {
    status: 422,
    message: 'The PDF takes too much time or memory to read. Send fewer pages.',
  },
  pdf_reader_busy: {
    status: 503,
    message: 'Too many PDFs are being read, or the machine has too little memory for one. Try again in a minute.',
  },
  file_taken: {
    status: 409,
    message: 'A file with that path exists. Choose another path, or replace the file explicitly.',
  },
  file_changed: {
    status: 412,
    message: 'The file has changed since it was read. Read it again, and send its ETag.',
  },
  file_condition_missing: {
    status: 428,
    message: 'A file with that path exists. Send `If-Match` with its ETag, or with * for any version.',
  },
  file_overwrite_unasked: {
    status: 409,
    message:
      'Nothing was written: the file exists, a user must approve overwriting it, and no one can be asked here. Choose an unused path.',
  },
  file_overwrite_refused: {
    status: 409,
    message: 'Nothing was written: the user declined to overwrite the file.',
  },
  files_erased: {
    status: 409,
    message:
      'Nothing was stored: all your files were erased during the upload. Send the file again if it should be stored.',
  },
  file_form_refused: {
    status: 415,
    message: 'Content-Encoding and Content-Range are not supported. Send the complete file without them.',
  },
  files_confirmation_missing: {
    status: 400,
    message:
      'This permanently deletes all your old versions and deleted files. Confirm with `?confirm=all`, or send a path.',
  },
  file_too_large: { status: 413, message: 'Nothing was stored: the maximum size of a file is {most} bytes.' },
  file_too_large_to_read: {
    status: 413,
    message: 'The file has {bytes} bytes, which is too large to read here. Its owner can download it with GET {url}.',
  },
  files_quota_reached: {
    status: 413,
    message:
      'Nothing was stored: your quota of {quota} bytes would be exceeded. Delete files, or old versions with DELETE /files/versions.',
  },
  files_share_reached: {
    status: 413,
    message: 'Nothing was stored: your address has used its share of the space for files. Delete files first.',
  },
  files_full: {
    status: 507,
    message: "Nothing was stored: this oracle's space for files is full. Ask the operator to raise FILES_TOTAL_MB.",
  },
  files_disk_low: {
    status: 507,
    message: 'Nothing was stored: the disk for files is almost full. Ask the operator to free space.',
  },
  files_too_many: {
    status: 409,
    message: 'Nothing was stored: the limit of {most} files and old versions is reached. Delete some first.',
  },
  files_busy: {
    status: 503,
    message: 'Nothing was stored: too many files are being uploaded. Try again in a minute.',
  },
  files_storage_failed: {
    status: 503,
    message: 'The file storage is unavailable. Try again in a minute.',
  },
  file_range_invalid: {
    status: 416,
    message: "The range is outside of the file's {bytes} bytes. Request a range within them.",
  },
})

/** Creates `files_quota_reached`. @param quota In bytes. */
export const quotaReached = (quota: number): ToolFailure =>
  filesErrors.files_quota_reached({ quota: quota.toLocaleString('en') })

/** FILES_DIR or FILES_URL. */
interface Place {
  readonly variable: 'FILES_DIR' | 'FILES_URL'
  readonly value: string
}

/** Creates the boot error for a place that cannot be used. @param place problem: the reason, such as ', and "/x" is a file.' */
export const placeUnusable = (
  { variable, value, problem, isTemporary }: Place & { readonly problem: string; readonly isTemporary?: boolean },
  cause: unknown,
): BootError => {
  const remedy =
    variable === 'FILES_DIR'
      ? 'Set FILES_DIR to a folder that the oracle may write to, or disable the plugin: features: { files: false } in createOracleApp.'
      : 'Fix that, or remove FILES_URL to use the folder of FILES_DIR.'
  const headline = `The plugin 'files' cannot store files in ${variable}`
  const lines = [`${variable} is ${JSON.stringify(value.slice(0, 200))}${problem}`, remedy]
  const facts = { code: 'files_folder_unusable', headline, lines, plugin: 'files', variable }
  return new BootError([isTemporary ? { ...facts, isTemporary } : facts], { cause })
}

/**
 * Creates the boot error for a place that is not the one with the files of this database. @param place mark: the file that is
 * missing there; empty if the database names no place yet.
 */
export const placeDiffers = ({ variable, value, mark }: Place & { readonly mark: string }): BootError =>
  new BootError([
    {
      code: 'files_folder_differs',
      headline: `${variable} of the plugin 'files' is not the ${places[variable]} with this database's files`,
      lines: [
        `${variable} is ${JSON.stringify(value.slice(0, 200))}, but ${mark === '' ? 'the files of this database are missing there' : `the file ${JSON.stringify(mark.slice(-200))} is missing`}.`,
        ...remedies[variable],
      ],
      plugin: 'files',
      variable,
    },
  ])

const places = { FILES_DIR: 'folder', FILES_URL: 'object store' } as const

const remedies = {
  FILES_DIR: [
    'Set FILES_DIR to the folder that the other processes on this database use, and mount it on each machine.',
    'If you moved the files, move hidden files too. If the old folder is lost, create an empty file with that name; the lost files cannot be restored.',
  ],
  FILES_URL: [
    'Copy the files there with `npx sibyl storage move-files`, or set FILES_URL or FILES_DIR to where they are.',
    'If the old place is lost, store an empty object with that name; the lost files cannot be restored.',
  ],
} as const
