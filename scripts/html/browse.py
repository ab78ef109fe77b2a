"""Every page in the folder, in headless Chromium. Exit code 1 when anything is not as it should be."""

import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

MAX_BYTES = 3 << 20
SHADES = """
const canvas = document.getElementById(arguments[0]), copy = document.createElement('canvas');
copy.width = canvas.width; copy.height = canvas.height;
const g = copy.getContext('2d');
g.drawImage(canvas, 0, 0);
const seen = new Set(), pixels = new Uint32Array(g.getImageData(0, 0, copy.width, copy.height).data.buffer);
for (const p of pixels) seen.add(p);
return seen.size;
"""


def browser():
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                 "--window-size=1400,1000", "--allow-file-access-from-files"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class Page:
    def __init__(self, driver, path):
        self.driver, self.path, self.faults = driver, path, []
        start = time.monotonic()
        driver.get(path.resolve().as_uri().replace("%3C", "%3C"))
        self.expect(driver.find_element(By.TAG_NAME, "body").get_attribute("data-ready") == "true", "its script does not reach its end")
        self.seconds = time.monotonic() - start

    def expect(self, holds, otherwise):
        if not holds:
            self.faults.append(otherwise)

    def shades(self, canvas):
        return self.driver.execute_script(SHADES, canvas)

    def attribute(self, name):
        return self.driver.find_element(By.TAG_NAME, "body").get_attribute(name)


def look_at(page, emulated, skinned, findings):
    page.expect(page.path.stat().st_size < MAX_BYTES, f"{page.path.stat().st_size} bytes are over {MAX_BYTES}")
    if skinned:
        page.expect(page.shades("map") > 1, "the map is empty")
        page.expect(page.shades("mesh") > 8, "the mesh is not drawn")
    boxes = page.driver.find_elements(By.CLASS_NAME, "finding")
    page.expect((len(boxes) > 0) == findings, f"{len(boxes)} findings")
    for box in boxes[:1]:
        box.click()
        page.expect(box.get_attribute("aria-pressed") == "true", "a click does not select the finding")
        page.expect((page.attribute("data-bytes") or "").startswith("0x"), "a click selects no bytes")
        place = box.find_element(By.CLASS_NAME, "mono").text
        page.expect(page.attribute("data-bytes") in place, f"{page.attribute('data-bytes')} is not {place}")
    chosen = [b for b in boxes if "SKN / SK" in b.text]
    if chosen:
        chosen[0].click()
        page.expect(int(page.attribute("data-vertices") or 0) > 0, "a click on an entry's finding selects no vertices")
    if emulated:
        strip = page.driver.find_elements(By.CSS_SELECTOR, "#strip button")
        page.expect(len(strip) > 0, "the strip has no frames")
        strip[-1].click()
        page.expect(strip[-1].get_attribute("aria-pressed") == "true", "a click does not show the frame")
    page.driver.save_screenshot(str(page.path.with_suffix(".png")))
    errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING") and "swiftshader" not in entry["message"].lower()
              and "GPU stall" not in entry["message"]]
    page.expect(not errors, f"console: {errors}")


def main(folder):
    pages = sorted(Path(folder).glob("*.html"))
    faults = 0 if len(pages) >= 6 else 1
    if faults:
        print(f"only {len(pages)} pages")
    driver = browser()
    try:
        for path in pages:
            page = Page(driver, path)
            name = path.name
            look_at(page, emulated="text" not in name, skinned="text" not in name,
                    findings=any(word in name for word in ("repacked", "writeback", "sk1-one")))
            print(f"{name:<52} {path.stat().st_size:>8} bytes  {page.seconds:.2f} s  {'; '.join(page.faults) or 'as it should be'}")
            faults += len(page.faults)
    finally:
        driver.quit()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
