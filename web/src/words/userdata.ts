/** Texts of the user data view. */
import { filesText, wholeNumber } from "../service/numbers.js";

export const words = {
  title: "My data",
  lead: "Make files of your own findable, for everybody, under your name. Nothing is uploaded: the files stay where they are on the service's machine, and only what is said of them here is sent.",
  signIn: "Sign in",
  needsSignIn: "To register data, and to see what you have registered, sign in.",
  add: "Add",
  drop: "From files",
  dropLead:
    "Drop NetCDF or HDF5 files here, or choose them: their headers are read on this computer, and shown to be corrected.",
  choose: "Choose files",
  folder: "Their folder on the service's machine",
  folderHint: "such as /home/ada/run1",
  reading: (name: string) => `Reading ${name} …`,
  read: (count: number) => (count === 1 ? "1 header was read." : `${count} headers were read.`),
  notRead: (name: string, reason: string) => `${name}: ${reason}`,
  tooSlow: "reading its header takes too long",
  fault: "the page could not read it",
  unclear: (file: string, reasons: readonly string[]) =>
    `${file}: its header ${reasons.join("; ")}. Write it in.`,
  entries: "Entries",
  entriesHint:
    "A line an entry, either name=value pairs with blanks between (quote values that have blanks) or a JSON object; or one JSON array. Each needs file, variable, time and time_frequency; facets go by their native names.",
  example:
    'file=/home/ada/tas_1985.nc variable=tas time="1985 to 1989" time_frequency=mon model=my-model',
  facets: "Facets of all entries",
  facetsHint: "name=value pairs, such as project=my-project; an entry's own value wins.",
  ready: (count: number) =>
    count === 1 ? "1 entry is ready." : `${wholeNumber(count)} entries are ready.`,
  wrong: "To be mended before it is sent",
  entry: (number: number) => `Entry ${number}`,
  noJson: (reason: string) => `is no JSON: ${reason}`,
  noPair: (text: string) => `has “${text}”, which is no name=value`,
  noObject: "is no object",
  twice: (name: string) => `has ${name} twice`,
  missing: (name: string) => `needs ${name}`,
  unknownKey: (name: string, near: string) => `has ${name}: did you mean ${near}?`,
  badValue: (name: string, reason: string) => `${name} ${reason}`,
  send: "Register",
  sending: "Registering …",
  table: "Registered files",
  own: "What is registered",
  path: "Only paths like",
  pathHint: "* and ? are wildcards",
  none: "Nothing of yours is found.",
  found: filesText,
  columns: {
    file: "File",
    variable: "Variable",
    time: "Time",
    time_frequency: "Frequency",
    project: "Project",
  },
  remove: "Delete",
  removeOne: (file: string) => `Delete the entry of ${file}`,
  removeAll: (count: number) =>
    count === 1 ? "Delete this entry" : `Delete these ${wholeNumber(count)} entries`,
  sure: "Delete entries",
  sureOf: (count: number, what: string) =>
    `${count === 1 ? "1 entry is" : `${wholeNumber(count)} entries are`} taken out of the index: ${what}. The files themselves stay where they are.`,
  everything: "everything of yours",
  yes: "Delete",
  no: "Keep",
  more: "Show more",
} as const;
