/** The patches of the demo, as an agent would send them. */

/** Makes a damaged table a sentence instead of a TypeError. */
export const REPORT_DAMAGED_LINE = `--- a/src/parse-table.js
+++ b/src/parse-table.js
@@ -9,5 +9,7 @@ export function parseTable(text) {
     .map((line) => {
-      const [, hours, minutes, metres] = LINE.exec(line);
+      const fields = LINE.exec(line);
+      if (fields === null) throw new Error(\`This is no line of a tide table: \${line}\`);
+      const [, hours, minutes, metres] = fields;
       return { minute: Number(hours) * 60 + Number(minutes), metres: Number(metres) };
     });
 }
`;

/** Looks like a tidying-up, and lets the boat pass without its margin. */
export const FORGET_THE_MARGIN = `--- a/src/passage.js
+++ b/src/passage.js
@@ -9,5 +9,5 @@
 export function canPass(boat, sill, turns, minute) {
   const height = heightAt(turns, minute);
   if (height === null) return false;
-  return clearance(boat, sill, height) >= boat.margin;
+  return clearance(boat, sill, height) > 0;
 }
`;

/** Right in its text, wrong in its line numbers. */
export const WRONG_LINE_NUMBERS = `--- a/src/height-at.js
+++ b/src/height-at.js
@@ -21,3 +21,3 @@
   const before = turns[next - 1];
-  const share = (minute - before.minute) / (after.minute - before.minute);
+  const share = (minute - before.minute) / Math.max(1, after.minute - before.minute);
   const swing = (1 - Math.cos(Math.PI * share)) / 2;
`;
