import { BootError, defineToolFailures, type ToolFailure } from '@sibyl/plugin'

export const filesErrors = defineToolFailures({
  file_path_invalid: {
    status: 400,
    message: `The path is none that a file may have: {fault}. Give one such as 'reports/2026-W47.md'.`,
  },
  file_not_found: {
    status: 404,
    message: 'There is no file of that path among yours. `list_files` and `GET /files` tell the paths.',
  },
  file_version_not_found: {
    status: 404,
    message: 'There is no version of that id among yours. `GET /files/versions` tells the ids.',
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
  pdf_reader_busy: { status: 503, message: 'Too many PDFs are being read. Try again in a minute.' },
  file_taken: {
    status: 409,
    message: 'There is a file of that path already. Choose another path, or replace it on purpose.',
  },
  file_changed: {
    status: 412,
    message: 'The file is not as the request expects it to be. Read it again, and send its ETag.',
  },
  file_condition_missing: {
    status: 428,
    message: 'There is a file of that path. Say which one you mean by `If-Match` with its ETag, or with * for any.',
  },
  file_overwrite_unasked: {
    status: 409,
    message:
      'Nothing was written: there is a file of that path, a person must approve that it is overwritten, and nobody can be asked here. Choose a path that is free.',
  },
  file_overwrite_refused: {
    status: 409,
    message: 'Nothing was written: the person did not want the file overwritten.',
  },
  files_erased: {
    status: 409,
    message: 'Nothing was kept: all your files were erased while this one arrived. Send it again if it is to be kept.',
  },
  file_form_refused: {
    status: 415,
    message: 'Send the whole file as it is, without Content-Encoding and Content-Range.',
  },
  files_confirmation_missing: {
    status: 400,
    message:
      'This deletes all your old versions and deleted files for good. Send `?confirm=all` if that is meant, or a path.',
  },
  file_too_large: { status: 413, message: 'Nothing was kept: a file may have at most {most} bytes.' },
  file_too_large_to_read: {
    status: 413,
    message: 'The file has {bytes} bytes, which is too much to read here. Its owner has it at GET {url}.',
  },
  files_quota_reached: {
    status: 413,
    message:
      'Nothing was kept: that is more than fits into your {quota} bytes. Delete files, and old versions with DELETE /files/versions, first.',
  },
  files_share_reached: {
    status: 413,
    message: 'Nothing was kept: your address has its share of the room for files already. Delete files first.',
  },
  files_full: {
    status: 507,
    message: 'Nothing was kept: this oracle has no more room for files. Ask the operator to raise FILES_TOTAL_MB.',
  },
  files_disk_low: {
    status: 507,
    message: 'Nothing was kept: the disk for files is almost full. Ask the operator to free space.',
  },
  files_too_many: {
    status: 409,
    message: 'Nothing was kept: a person may have {most} files and old versions together. Delete some first.',
  },
  files_storage_failed: {
    status: 503,
    message: 'The files cannot be read or written just now. Try again in a minute.',
  },
  file_range_invalid: {
    status: 416,
    message: 'The file has {bytes} bytes, and none of those that were asked for.',
  },
})

/** Creates `files_quota_reached`. @param quota In bytes. */
export const quotaReached = (quota: number): ToolFailure =>
  filesErrors.files_quota_reached({ quota: quota.toLocaleString('en') })

/** Creates the boot error where files cannot be kept in FILES_DIR. @param fault Such as '"/srv/files" is a file, no folder'. */
export const folderUnusable = (directory: string, fault: string, cause: unknown): BootError =>
  new BootError(
    [
      {
        code: 'files_folder_unusable',
        headline: "Plugin 'files' cannot keep files in the folder of 'FILES_DIR'",
        lines: [
          `FILES_DIR is ${JSON.stringify(directory.slice(0, 200))}, and ${fault}.`,
          'Name a folder that the oracle may write to, or switch the plugin off: features: { files: false } in createOracleApp.',
        ],
        plugin: 'files',
        variable: 'FILES_DIR',
      },
    ],
    { cause },
  )

/** Creates the boot error where other processes on this database keep files in another folder. @param mark The file missing in FILES_DIR. */
export const folderDiffers = (directory: string, mark: string): BootError =>
  new BootError([
    {
      code: 'files_folder_differs',
      headline: "Plugin 'files' found another folder in 'FILES_DIR' than the one that this database's files are in",
      lines: [
        `FILES_DIR is ${JSON.stringify(directory.slice(0, 200))}, and the file ${JSON.stringify(mark.slice(-200))} is not there.`,
        'Set FILES_DIR to the folder that the other processes on this database use, and mount it on each machine.',
        'If you moved the files, move hidden files too. If the old folder is lost, create that file, empty: its files stay lost.',
      ],
      plugin: 'files',
      variable: 'FILES_DIR',
    },
  ])
