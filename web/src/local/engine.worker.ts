import { runBots } from "./bots";
import type { ToBots, ToTables } from "./port";
import { runTables } from "./tables";

/** One script for both workers, so that Python's own part is fetched once. */
addEventListener("message", ({ data }: MessageEvent<ToTables | ToBots>) => {
  if (data.kind !== "start") return;
  if ("tables" in data) runBots(data.tables);
  else void runTables(data.folder, data.bots, data.pace);
});
