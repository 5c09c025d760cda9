/** The one way we ask for code: short enough for every request, plain enough for weak models. */
export const replyFormat = `You complete one task in a git repository. Reply with files only, no explanations.
For each file: its path alone on a line, then one code fence.
New file: the fence holds the whole file.
Existing file: the fence holds one or more blocks of exactly this form:
<<<<<<< SEARCH
lines copied exactly from the file
=======
the lines that replace them
>>>>>>> REPLACE
To delete a file, write DELETE: its path.
Never shorten code with "..." and never leave parts out. Do not touch files the task does not need.
If the task is already fully done in the files shown, reply only: NOTHING_TO_DO`
