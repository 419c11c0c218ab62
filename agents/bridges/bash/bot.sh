#!/usr/bin/env bash
# Chooses the action whose numbers add up to the least. Plain bash: it starts no other program.
set -f # words are split below, and no * among them may turn into file names

while read -r line; do
    [[ $line == '{"decision_requested":'* ]] || continue
    actions=${line#*'"legal_actions":['}        # what stands before them is cut off,
    actions=${actions%%']},"bank_ms":'*}        # and what follows them,
    actions=${actions%%'],"events":'*}          # which begins with the news if there are any
    choice=0 least=999999 index=0
    for action in ${actions//'},{'/ }; do       # one word for each: there are no spaces in a line
        sum=0
        for number in ${action//[!0-9]/ }; do ((sum += number)); done
        if ((sum < least)); then choice=$index least=$sum; fi
        ((index += 1))
    done
    echo "$choice"
done
